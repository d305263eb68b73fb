/** A model in a bench. */
export interface RatedModel {
  benchId: string;
  provider: string;
  model: string;
}

const MOST = 1_000;

/** How many tokens a byte each model was last known to take, at most; null: too few of its calls have settled. */
export class TokenRates {
  private readonly rates = new Map<string, number | null>();

  /** @returns undefined where nothing has been noted */
  find(place: RatedModel): number | null | undefined {
    return this.rates.get(nameOf(place));
  }

  note(place: RatedModel, tokensPerByte: number | null): void {
    this.rates.set(nameOf(place), tokensPerByte);
    const [oldest] = this.rates.keys();
    if (this.rates.size > MOST && oldest !== undefined) this.rates.delete(oldest);
  }
}

function nameOf({ benchId, provider, model }: RatedModel): string {
  return JSON.stringify([benchId, provider, model]);
}
