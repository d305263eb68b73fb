import type { Provider } from './provider';

/** A provider that opens by a key, as its own file describes it to the registry. */
export interface KeyedProvider {
  /** Its variables are `<prefix>_API_KEY` and `<prefix>_BASE_URL`; no other provider reads them. */
  prefix: string;
  defaultBaseUrl: string;
  open(apiKey: string, baseUrl: string): Provider;
  /**
   * Whether a model thinks even when told not to; unknown models count as such, since it cannot be ruled out.
   * Shown beside its results.
   */
  cannotDisableThinking(model: string): boolean;
}
