import { readFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeFileWhole } from '../../activities/reporting/write-file';
import { compareText } from '../../core/compare-text';
import { plainTable } from '../bench/plain-table';
import { inLab } from '../chaos/in-lab';
import { PROJECT } from '../stack/home';
import { measureLatency } from './measure-latency';
import { measureRate, measureScale, measureTwoWorkers } from './measure-throughput';
import { COLUMNS, cells, isKept, type Measurement } from './measurement';
import { onPerfBed, type PerfBed, warmUp } from './perf-bed';

/**
 * What a bench costs beside its models' time, in five measurements, each held against something of the same run on the
 * same servers. Prints a table; exits 1 when a bound is not kept. Wants a quiet machine, and about ten minutes.
 *
 *   npm run perf:bench                        all of it
 *   npm run perf:bench -- --only a,b          some parts (c brings e)
 *   npm run perf:bench -- --small             a tenth of it, to see whether it runs; its figures mean little
 *   npm run perf:bench -- --write             keeps the table in docs/PERFORMANCE.md
 */
const PARTS: Record<string, (perf: PerfBed, scale: number) => Promise<Measurement[]>> = {
  a: (perf, scale) => measureLatency(perf, { candidates: 8, n: 2, matches: Math.ceil(8 * scale) }),
  b: (perf, scale) => measureRate(perf, { candidates: 8, n: 2, matches: Math.ceil(40 * scale) }),
  c: (perf, scale) =>
    measureScale(
      perf,
      { candidates: 5, n: 10, matches: Math.ceil(100 * scale) },
      { candidates: 5, n: 10, matches: Math.ceil(1_000 * scale) },
    ),
  d: (perf, scale) => measureTwoWorkers(perf, { candidates: 8, n: 2, matches: Math.ceil(40 * scale) }),
};

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', default: 'a,b,c,d' },
      small: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
    },
  });
  const parts = values.only.split(',').map((part) => part.trim());
  const unknown = parts.filter((part) => !Object.hasOwn(PARTS, part));
  if (unknown.length > 0) throw new Error(`--only: no part ${unknown.join(', ')} (known: a, b, c with e, d)`);
  const lines = await inLab((bed) =>
    onPerfBed(bed, async (perf) => {
      const done: Measurement[] = [];
      await warmUp(perf, { candidates: 8, n: 2, matches: values.small ? 1 : 8 });
      for (const part of parts) {
        console.error(`measuring (${part})`);
        done.push(...(await PARTS[part]!(perf, values.small ? 0.1 : 1)));
      }
      return done;
    }),
  );
  lines.sort((one, other) => compareText(one.part, other.part));
  console.log(machine());
  console.log(
    plainTable(
      COLUMNS.map((name) => ({ name, maxWidth: 44 })),
      lines.map(cells),
      (text) => text,
    ),
  );
  if (values.write) writePage(lines, values.small);
  if (!lines.every(isKept)) process.exitCode = 1;
}

function machine(): string {
  const [cpu] = cpus();
  const memory = (totalmem() / 2 ** 30).toFixed(0);
  return `${cpus().length} × ${cpu?.model.trim() ?? 'unknown'}, ${memory} GB, Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}`;
}

const BEGIN = '<!-- perf:bench begins -->';
const END = '<!-- perf:bench ends -->';

/** Replaces what stands between the two marks of docs/PERFORMANCE.md. */
function writePage(lines: readonly Measurement[], isSmall: boolean): void {
  const path = join(PROJECT, 'docs', 'PERFORMANCE.md');
  const page = readFileSync(path, 'utf8');
  const row = (texts: readonly string[]) => `| ${texts.join(' | ')} |`;
  const table = [row(COLUMNS), row(COLUMNS.map(() => '---')), ...lines.map((line) => row(cells(line)))];
  const note = isSmall ? ['A tenth of the real size: these figures mean little.', ''] : [];
  const text = [BEGIN, machine(), '', ...note, ...table, END].join('\n');
  writeFileWhole(
    path,
    page.slice(0, page.indexOf(BEGIN)) + text + page.slice(page.indexOf(END) + END.length),
  );
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
