import { rowActivities } from '../../workflows/activity-options';
import type { TournamentInput, TournamentProgress } from '../../workflows/tournament';

/** What a careless change could make of the workflows: the tournament reads its matches before it opens. */
export { bench } from '../../workflows/bench';
export { candidate } from '../../workflows/candidate';
export { hypothesis } from '../../workflows/hypothesis';
export { nightly } from '../../workflows/nightly';
export { rubric } from '../../workflows/rubric';

export async function tournament({ benchId, epoch, progress }: TournamentInput): Promise<TournamentProgress> {
  await rowActivities().readWaitingMatches({ benchId, epoch, afterIndex: -1, limit: 200 });
  await rowActivities().openTournament({ benchId, epoch });
  return progress;
}
