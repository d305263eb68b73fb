import { join } from 'node:path';
import { bundleTranscripts, type Transcripts } from '../../../activities/evaluation/transcripts';
import { findBundles } from '../../../activities/reporting/bundle/read-bundle';
import type { RecordedAttempt } from '../../../core/report/recorded-bench';

export const TRANSCRIPTS = join(__dirname, '..', '..', '..', 'presets', 'transcripts');

/** The transcripts that come with the program, in memory, to be tampered with. */
export interface LoadedTranscripts {
  bench: Transcripts['bench'];
  attempts: RecordedAttempt[][];
}

let loaded: LoadedTranscripts | undefined;

/** A copy at every call. */
export function loadTranscripts(): LoadedTranscripts {
  loaded ??= readAll();
  return structuredClone(loaded);
}

function readAll(): LoadedTranscripts {
  const [place] = findBundles(TRANSCRIPTS);
  const read = place && bundleTranscripts(place, TRANSCRIPTS);
  if (!read || !('attempts' in read)) throw new Error('the transcripts cannot be read');
  return { bench: read.bench, attempts: [...(read.attempts as Iterable<RecordedAttempt[]>)] };
}
