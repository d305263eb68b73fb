import { NightJudge } from '../../core/nightly/judge-nights';
import type { NightlyVerdict } from '../../core/ratings/nightly-evidence';
import { type NightlyWorld, playNights } from './world';

/** When a world first said what, in nights from 1; null: never. */
export interface WorldEnd {
  regressed: number | null;
  improved: number | null;
  judgeDrift: number | null;
  /** Of the first candidate, the one that drops in worlds with a drop. */
  firstRegressed: number | null;
}

export interface RunSettings {
  worlds: number;
  nights: number;
  seed: number;
  alpha: number;
}

export function runWorlds(world: NightlyWorld, { worlds, nights, seed, alpha }: RunSettings): WorldEnd[] {
  return Array.from({ length: worlds }, (_, i) => runWorld(world, nights, seed * 1_000_000 + i, alpha));
}

function runWorld(world: NightlyWorld, nights: number, seed: number, alpha: number): WorldEnd {
  const labels = Array.from({ length: world.candidates }, (_, i) => `c${i}`);
  const judge = new NightJudge({ labels, sides: world.candidates, alpha, seed });
  const end: WorldEnd = { regressed: null, improved: null, judgeDrift: null, firstRegressed: null };
  let night = 0;
  for (const scores of playNights(world, nights, seed)) {
    night += 1;
    const { candidates, hasJudgeDrifted } = judge.add(scores);
    const says = (verdict: NightlyVerdict) => candidates.some((one) => one.verdict === verdict);
    if (hasJudgeDrifted) end.judgeDrift ??= night;
    if (says('regressed')) end.regressed ??= night;
    if (says('improved')) end.improved ??= night;
    if (candidates[0]?.verdict === 'regressed') end.firstRegressed ??= night;
  }
  return end;
}
