import { join, resolve } from 'node:path';
import { withBenchRows } from '../bench/bench-connection';
import { findBenchId } from '../bench/find-bench';
import { printJson } from '../bench/print-result';
import { outputPlaces, writeReports } from './write-reports';

/** @throws CliError when there is no such bench */
export async function reportCommand(
  text: string,
  { to, isJson }: { to: string | null; isJson: boolean },
): Promise<void> {
  await withBenchRows(async ({ db, stack }) => {
    const benchId = await findBenchId(db, text);
    const reports = to === null ? outputPlaces(stack.home).reports : resolve(to);
    const { pages } = await writeReports(db, benchId, { artifacts: null, reports });
    const files = {
      html: join(reports, `${benchId}.html`),
      markdown: join(reports, `${benchId}.md`),
      all: join(reports, 'BENCH_RESULTS.md'),
      pages,
    };
    if (isJson) {
      printJson(files);
      return;
    }
    const beside = pages.length > 1 ? ` and ${pages.length - 1} pages of matches beside it` : '';
    process.stdout.write(`${files.html}${beside}\n${files.markdown}\n${files.all}\n`);
  });
}
