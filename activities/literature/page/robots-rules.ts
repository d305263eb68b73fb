import robotsParser from 'robots-parser';
import { TOOL_NAME } from '../literature-settings';

/** A site's rules, and an address of it. */
export interface RobotsQuestion {
  /** Of the rules: they hold for its origin. */
  address: string;
  rules: string;
  url: string;
}

/**
 * Whether this program may ask for the address. Takes time by the product of what both are long, as often as there are
 * rules with a `*`: 9,000 of them kept a thread busy for 24 s.
 */
export function isAllowedBy({ address, rules, url }: RobotsQuestion): boolean {
  return robotsParser(address, rules).isAllowed(url, TOOL_NAME) !== false;
}
