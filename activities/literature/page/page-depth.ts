import { Parser } from 'htmlparser2';

/**
 * Whether elements nest deeper than this. Streams, so that no depth can hurt: article extraction takes time by the
 * square and cube of the depth (1,000 nested `<div>` took 3.7 s, 3,000 took 114 s).
 */
export function isDeeperThan(html: string, maxDepth: number): boolean {
  let depth = 0;
  let isTooDeep = false;
  const parser: Parser = new Parser({
    onopentag: () => {
      depth += 1;
      if (depth <= maxDepth) return;
      isTooDeep = true;
      parser.pause();
    },
    onclosetag: () => {
      depth -= 1;
    },
  });
  for (let at = 0; at < html.length && !isTooDeep; at += CHUNK) parser.write(html.slice(at, at + CHUNK));
  return isTooDeep;
}

const CHUNK = 65_536;
