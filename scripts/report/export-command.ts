import { join, resolve } from 'node:path';
import { writeCsvTables } from '../../activities/reporting/csv/write-csv';
import { writeArtifacts } from '../../activities/reporting/write-artifacts';
import { countText } from '../../core/report/figure-text';
import type { Database } from '../../db/database';
import { readBenchIds, readRecordedBench, readSnapshot } from '../../db/export-reads';
import { withBenchRows } from '../bench/bench-connection';
import { findBenchId } from '../bench/find-bench';
import { printJson } from '../bench/print-result';
import { UsageError } from '../cli-error';
import { outputPlaces } from './write-reports';

export interface ExportRequest {
  to: string | null;
  isCsv: boolean;
  isJson: boolean;
}

/** @throws UsageError without a bench, but for tables; CliError when there is no such bench */
export async function exportCommand(text: string | null, request: ExportRequest): Promise<void> {
  if (text === null && !request.isCsv) throw noBenchNamed();
  await withBenchRows(async ({ db, stack }) => {
    const benchIds = text === null ? await readBenchIds(db) : [await findBenchId(db, text)];
    if (request.isCsv)
      await exportTables(db, benchIds, resolve(request.to ?? join(stack.home, 'csv')), request);
    else
      await exportBundle(
        db,
        benchIds[0]!,
        resolve(request.to ?? outputPlaces(stack.home).artifacts),
        request,
      );
  });
}

/** @param isBlind a sample is of one bench; tables may be of all */
export function noBenchNamed(isBlind = false): UsageError {
  return new UsageError({
    reason: 'no bench named',
    remedy: `name one (co-scientist list)${isBlind ? '' : ', or give --csv for tables of all'}`,
  });
}

async function exportBundle(
  db: Database,
  benchId: string,
  artifacts: string,
  { isJson }: ExportRequest,
): Promise<void> {
  const bundle = await writeArtifacts(db, benchId, artifacts);
  if (isJson) printJson({ benchId, ...bundle });
  else
    process.stdout.write(
      `${bundle.benchFile}\n${countText(bundle.files, 'file')}, ${megabytes(bundle.bytes)}\n`,
    );
}

async function exportTables(
  db: Database,
  benchIds: readonly string[],
  folder: string,
  { isJson }: ExportRequest,
): Promise<void> {
  const files = await readSnapshot(db, async (snapshot) => {
    const records = async function* () {
      for (const benchId of benchIds) yield await readRecordedBench(snapshot, benchId);
    };
    return writeCsvTables(records(), folder);
  });
  if (isJson) printJson({ benches: benchIds, files });
  else process.stdout.write(files.map(({ path, rows }) => `${path}: ${countText(rows, 'row')}\n`).join(''));
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
