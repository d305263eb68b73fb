import type { HypothesisRecord } from '../../../core/hypothesis';

/** Texts that would break a page, a table, a terminal or a query that trusts them. */
export const HOSTILE = {
  table: '| a | b |\n|---|---|\n| 1 | 2 |\n\n| x',
  heading: '# Not a heading\n## Nor this\n\nSetext\n======\n\nSetext two\n------',
  html: '</td></tr></table></details></section><script>window.hacked = 1</script><img src=x onerror="window.hacked = 2"><svg onload=alert(1)>',
  attribute: '" onmouseover="window.hacked = 3" x="\' autofocus onfocus=\'window.hacked = 4',
  markdown:
    '[click](javascript:window.hacked=5) ![x](https://evil.example/x.png) <https://evil.example> `code` **bold** _em_ ~~no~~ [^1] @everyone #1 https://evil.example www.evil.example mailto:a@evil.example a@evil.example',
  fence:
    '```\n</script><!-- --><![CDATA[ ]]>\n~~~\n    indented\n> quoted\n- list\n1. list\n2) list\n---\n***\n$x$ $$y$$',
  ansi: '\u001b[31mred\u001b[0m \u001b]0;title\u0007 \u009b31m \u001b[2J\b\b\u0000 end',
  bidi: 'abc\u202egnp.exe\u202c \u2066isolate\u2069 \u200eltr\u200f \u061c \ufeff zero\u200bwidth',
  surrogates: 'lone \ud800 and \udc00, pair 😀, family 👩\u200d👩\u200d👧',
  breaks: 'one\r\ntwo\rthree\u2028four\u2029five\u0085six\u000bseven\feight\ttab',
  formula: '=HYPERLINK("https://evil.example","x")\n+1\n-1\n@SUM(A1)',
  sql: "'; DROP TABLE bench_runs; --",
  long: `start ${'x'.repeat(200_000)} end`,
} as const;

const NAMES = Object.keys(HOSTILE) as (keyof typeof HOSTILE)[];
let next = 0;

/** The record with a hostile text in every field, another one each time. */
export function hostileRecord(record: HypothesisRecord): HypothesisRecord {
  const take = () => HOSTILE[NAMES[next++ % NAMES.length]!];
  return {
    title: take(),
    summary: take(),
    fullText: take(),
    mechanism: take(),
    entities: [take(), take(), ...record.entities],
    citations: [
      { url: 'javascript:window.hacked=6', title: take(), excerpt: take() },
      { url: 'https://example.org/" onclick="window.hacked = 7', title: take(), excerpt: take() },
    ],
    falsification: take(),
  };
}

export function hostileReason(rationale: string): string {
  return `${rationale} ${HOSTILE[NAMES[next++ % NAMES.length]!]}`;
}
