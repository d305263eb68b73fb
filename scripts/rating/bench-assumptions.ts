import { fitCandidates } from '../../core/ratings/candidate-fit';
import { variancesShown } from '../../core/ratings/variance-report';
import { findBench } from '../../db/benches';
import { readRatedBench } from '../../db/rated-bench';
import { withBenchRows } from '../bench/bench-connection';
import { findBenchId } from '../bench/find-bench';
import { CliError } from '../cli-error';
import { type Assumptions, unitText } from './show-power';

/**
 * What a bench has shown of its hypotheses, its judge and its prices.
 * @throws CliError when there is no such bench, or fewer than two of its candidates have played
 */
export async function assumptionsOfBench(text: string): Promise<Assumptions> {
  return withBenchRows(async ({ db }) => {
    const benchId = await findBenchId(db, text);
    const bench = await findBench(db, benchId);
    if (!bench) throw new Error(`bench ${benchId}: its rows are gone`);
    const { matches, unitCosts } = await readRatedBench(db, benchId, bench.plan);
    const fit = fitCandidates(matches);
    const { candidates, hypothesisCount } = fit.design;
    if (candidates.length < 2) {
      throw new CliError({
        reason: `bench ${benchId} has no played match: nothing shows how far its hypotheses lie apart`,
        remedy: 'leave out --from for the usual spreads, or name another bench',
      });
    }
    const isSeen = hypothesisCount.some((count) => count > 1);
    return {
      variances: [variancesShown(fit)],
      costs: unitCosts,
      isSimulated: bench.plan.isSimulated,
      spreadNote: isSeen
        ? `as bench ${benchId} shows it, with its judge's noise`
        : `assumed: bench ${benchId} has one hypothesis each, which shows none`,
      costNote:
        unitCosts === null ? 'some of its costs are unknown' : `${unitText(unitCosts)}, as it has cost`,
    };
  });
}
