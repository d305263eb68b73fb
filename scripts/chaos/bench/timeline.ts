import { randomFrom } from '../../../core/random';

/** Something that is done to a running bench. */
export type Blow =
  /** kill -9 of the worker; with its workflow, which is terminated a moment before and resumed by the next worker. */
  | { kind: 'kill'; of: 'worker' | 'worker and workflow' }
  | { kind: 'postgres'; how: 'stop' | 'kill' }
  | { kind: 'temporal'; how: 'stop' | 'kill' }
  /** The workflow is terminated and the bench resumed at once, while the old worker lives. */
  | { kind: 'terminate' };

export interface Timeline {
  /** In order; milliseconds after the bench began. */
  blows: { afterMs: number; blow: Blow }[];
  lengthMs: number;
}

export interface Blows {
  kills: number;
  postgresRestarts: number;
  temporalRestarts: number;
  terminations: number;
}

/** Kills are never closer than this. */
export const LEAST_GAP_MS = 5_000;

/**
 * Draws when what happens. Restarts and terminations fall between two kills each, so that they meet a worker that has
 * just come back or is about to go; every second termination comes with a kill.
 * @param spreadMs kills are 5 s to 5 s and so much apart, uniformly
 */
export function drawTimeline(seed: number, counts: Blows, spreadMs: number): Timeline {
  const random = randomFrom(seed, 'timeline');
  const gaps = Array.from({ length: counts.kills }, () => LEAST_GAP_MS + spreadMs * random.uniform());
  const withWorkflow = new Set(
    random.shuffle(gaps.map((_, i) => i)).slice(0, Math.floor(counts.terminations / 2)),
  );
  const blows: Timeline['blows'] = [];
  let afterMs = 0;
  for (const [i, gap] of gaps.entries()) {
    afterMs += gap;
    const of = withWorkflow.has(i) ? 'worker and workflow' : 'worker';
    blows.push({ afterMs, blow: { kind: 'kill', of } });
  }
  const kills = [...blows];
  const others = random.shuffle(otherBlows(counts));
  const places = random.shuffle(kills.map((_, i) => i));
  for (const [i, blow] of others.entries()) {
    const place = places[i % places.length] ?? 0;
    const share = 0.3 + 0.5 * random.uniform();
    blows.push({ afterMs: (kills[place]?.afterMs ?? 0) - share * (gaps[place] ?? 0), blow });
  }
  blows.sort((one, other) => one.afterMs - other.afterMs);
  return { blows, lengthMs: afterMs };
}

/** Servers are killed and stopped in turn. */
function otherBlows({ postgresRestarts, temporalRestarts, terminations }: Blows): Blow[] {
  const how = (i: number): 'stop' | 'kill' => (i % 2 === 0 ? 'kill' : 'stop');
  return [
    ...Array.from({ length: postgresRestarts }, (_, i): Blow => ({ kind: 'postgres', how: how(i) })),
    ...Array.from({ length: temporalRestarts }, (_, i): Blow => ({ kind: 'temporal', how: how(i) })),
    ...Array.from({ length: Math.ceil(terminations / 2) }, (): Blow => ({ kind: 'terminate' })),
  ];
}
