import { readdirSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

/** The folder of the histories that every version of the workflows has to replay. */
export const HISTORIES = join(__dirname, 'recorded');

export interface RecordedHistory {
  /** `<scenario>-<workflow type>[-<n>]` */
  name: string;
  workflowId: string;
  /** As Temporal's tools write and read it. */
  history: { events: { eventType: string }[] };
}

/** In the order of their names. */
export function readHistories(): RecordedHistory[] {
  return readdirSync(HISTORIES)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => ({
      name: file.replace(/\.json$/, ''),
      ...JSON.parse(readFileSync(join(HISTORIES, file), 'utf8')),
    }));
}

/** A history without what it says of the machine it was recorded on: host and process names, and paths. */
export function scrubHistory(json: string, projectFolder: string): RecordedHistory['history'] {
  const text = json
    .replaceAll(projectFolder, '')
    .replaceAll(/"identity": *"[^"]*"/g, '"identity":"worker"')
    .replaceAll(new RegExp(`\\b\\d+@${hostname()}\\b`, 'g'), 'worker')
    .replaceAll(hostname(), 'host');
  return JSON.parse(text);
}
