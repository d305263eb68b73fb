import { join } from 'node:path';
import type { Database } from '../../db/database';
import { reportProgress } from '../report-progress';
import type { Stack } from '../stack/ensure-stack';

/**
 * Writes what people read of a bench that has ended, into the home, and says where. The same rows give the same bytes,
 * so what a worker has written already stays. A full disk is told and fails no command: the results stand in rows.
 */
export async function leaveReports(db: Database, benchId: string, { home }: Stack): Promise<void> {
  const { outputPlaces, writeReports } = require('./write-reports') as typeof import('./write-reports');
  const places = outputPlaces(home);
  try {
    await writeReports(db, benchId, places);
    reportProgress(`report: ${join(places.reports, `${benchId}.html`)}`);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    reportProgress(
      `its report could not be written (${code ?? message}); later: co-scientist report ${benchId}`,
    );
  }
}
