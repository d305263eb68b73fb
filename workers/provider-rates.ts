/** `CO_SCIENTIST_RATES` holds text that is no list of rates; names the parts, not what else stands there. */
export class InvalidProviderRates extends Error {
  constructor(readonly problems: string[]) {
    super(`CO_SCIENTIST_RATES: ${problems.join('; ')} (write provider=perSecond,…: openai=5,anthropic=0.5)`);
    this.name = 'InvalidProviderRates';
  }
}

/**
 * How many calls a second each provider may be sent, by all workers of its queue together. The server holds the
 * mean, not the moment: at 3 a second four may start within 10 ms. All workers of a queue must be told the same.
 * @param text `openai=5,anthropic=0.5`; empty: no limits
 * @throws InvalidProviderRates with every problem
 */
export function readProviderRates(text: string | undefined): ReadonlyMap<string, number> {
  const rates = new Map<string, number>();
  const problems: string[] = [];
  for (const part of (text ?? '').split(',').map((p) => p.trim())) {
    if (part === '') continue;
    const [provider = '', rate = '', ...rest] = part.split('=').map((p) => p.trim());
    const perSecond = Number(rate);
    if (provider === '' || rest.length > 0) problems.push(`cannot read "${part}"`);
    else if (rate === '' || !Number.isFinite(perSecond) || perSecond <= 0 || perSecond > 100_000) {
      problems.push(`${provider}: not a number of calls a second above 0`);
    } else if (rates.has(provider)) problems.push(`${provider}: named twice`);
    else rates.set(provider, perSecond);
  }
  if (problems.length > 0) throw new InvalidProviderRates(problems);
  return rates;
}
