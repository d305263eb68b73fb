import type { CliCommand } from './command';
import { agree } from './commands/agree';
import { bench } from './commands/bench';
import { cancel } from './commands/cancel';
import { compare } from './commands/compare';
import { costs } from './commands/costs';
import { demo } from './commands/demo';
import { doctor } from './commands/doctor';
import { down } from './commands/down';
import { drop } from './commands/drop';
import { evalBench } from './commands/eval';
import { exportBench } from './commands/export';
import { failures } from './commands/failures';
import { goldsets } from './commands/goldsets';
import { importBench } from './commands/import';
import { list } from './commands/list';
import { literature } from './commands/literature';
import { migrate } from './commands/migrate';
import { nightly } from './commands/nightly';
import { pause } from './commands/pause';
import { power } from './commands/power';
import { presets } from './commands/presets';
import { prices } from './commands/prices';
import { raiseBudget } from './commands/raise-budget';
import { rate } from './commands/rate';
import { report } from './commands/report';
import { reprice } from './commands/reprice';
import { rescore } from './commands/rescore';
import { resume } from './commands/resume';
import { scipivot } from './commands/scipivot';
import { show } from './commands/show';
import { unpause } from './commands/unpause';
import { up } from './commands/up';
import { verify } from './commands/verify';
import { watch } from './commands/watch';
import { worker } from './commands/worker';

/** Every command of the CLI, in the order the help lists them. */
export const COMMANDS: readonly CliCommand[] = [
  demo,
  bench,
  watch,
  show,
  list,
  cancel,
  resume,
  pause,
  unpause,
  raiseBudget,
  drop,
  costs,
  failures,
  reprice,
  rescore,
  report,
  exportBench,
  agree,
  verify,
  importBench,
  compare,
  rate,
  evalBench,
  power,
  nightly,
  presets,
  goldsets,
  prices,
  literature,
  up,
  down,
  worker,
  doctor,
  migrate,
  scipivot,
];
