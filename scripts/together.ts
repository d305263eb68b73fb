import { CliError, UsageError } from './cli-error';

type Works<T extends readonly unknown[]> = { [K in keyof T]: () => T[K] | Promise<T[K]> };

/**
 * What each comes to, in their order. Where several are refused, one error tells of all.
 * @throws the one CliError, or one that lists them: a UsageError where each of them is
 */
export async function together<T extends readonly unknown[]>(...works: Works<T>): Promise<T> {
  const ends: unknown[] = [];
  const refusals: CliError[] = [];
  for (const work of works) {
    try {
      ends.push(await work());
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      refusals.push(error);
    }
  }
  const [only, second] = refusals;
  if (only && second === undefined) throw only;
  if (only) {
    const Refusal = refusals.every((one) => one instanceof UsageError) ? UsageError : CliError;
    const problems = refusals.flatMap(problemsOf);
    throw new Refusal({
      reason: `${problems.length} things are wrong`,
      problems,
      remedy: [...new Set(refusals.map(({ details }) => details.remedy))].join('; '),
    });
  }
  return ends as unknown as T;
}

function problemsOf({ details: { reason, problems } }: CliError): readonly string[] {
  return problems ?? [reason];
}
