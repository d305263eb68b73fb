import { ApplicationFailure } from '@temporalio/workflow';
import type { BenchHandle } from '../activities/create-bench';
import { checkActivities, graderCheckActivities, offerActivities, rowActivities } from './activity-options';
import { findApplicationFailure, isUnanswered } from './failure-kinds';

/** Checks side by side all that the bench needs, and reports everything that is wrong at once. */
export async function checkProviders(handle: BenchHandle): Promise<void> {
  const { benchId, epoch } = handle;
  const answers = await Promise.all([
    ...handle.providers.map((provider) =>
      problemsOf(`key for ${provider}`, () =>
        checkActivities(provider).checkProvider({ benchId, epoch, provider }),
      ),
    ),
    ...(handle.hasPipeline
      ? [
          problemsOf('literature role', () =>
            offerActivities()
              .offerLiterature({ benchId, epoch })
              .then(() => []),
          ),
        ]
      : []),
    ...(handle.hasScipivot
      ? [
          rowActivities().checkScipivotWorker({ benchId, epoch }),
          problemsOf('grader role', () => graderCheckActivities().checkScipivotGrader({ benchId, epoch })),
        ]
      : []),
  ]);
  const problems = answers.flat();
  if (problems.length === 0) return;
  throw ApplicationFailure.create({
    type: 'ProviderUnavailable',
    message: `The bench cannot begin:\n- ${problems.slice(0, 20).join('\n- ')}`,
    nonRetryable: true,
  });
}

/** Asked twice: a worker that was away a moment, and is back to answer for rows, gets another 15 s. */
async function problemsOf(
  what: string,
  check: () => Promise<string[]>,
  isSecondTry = false,
): Promise<string[]> {
  const askAgain = () => problemsOf(what, check, true);
  try {
    return await check();
  } catch (error) {
    if (isUnanswered(error)) return isSecondTry ? [`no running worker has a ${what}`] : askAgain();
    const failure = findApplicationFailure(error);
    if (failure?.type === 'BudgetExceeded') return [failure.message];
    throw error;
  }
}
