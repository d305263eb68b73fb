import { runCaps } from './bench/caps-scenario';
import { inLab } from './in-lab';

inLab(async (bed) => {
  for (const c of await runCaps(bed, Number(process.argv[2] ?? 1), console.log))
    console.log(c.isGood, c.name, '|', c.found);
}).catch(console.error);
