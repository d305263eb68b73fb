import { turnKeys } from '../../../core/ids';
import type { RecordedMatch } from '../../../core/report/recorded-bench';
import type { BenchPageSource } from './bench-page';
import { html, type Markup } from './markup';
import { type MatchNames, matchBlock } from './match-block';
import { pageFrame, section } from './page-frame';
import { MATCHES_PER_GROUP } from './transcript-groups';

/** Part of a page with the calls that it can open. */
export interface PagePart {
  markup: Markup;
  callKeys: string[];
}

/** Every slot, in the order of the plan. */
export function hypothesisList(source: BenchPageSource): PagePart {
  const labels = source.report.candidates.map(({ label }) => label).sort();
  const { blocks, callKeys } = source.blocks.list(null);
  return {
    callKeys,
    markup: html`<form class="filter" data-filters="hypothesis"><label>Candidate ${select('label', labels)}</label><label>Words <input type="search" name="words"></label><output aria-live="polite"></output></form>
<div class="list">${blocks}</div>`,
  };
}

export function matchList(source: BenchPageSource): PagePart {
  return listMatches(source, source.record.matches);
}

const MATCHES_PER_PAGE = 25 * MATCHES_PER_GROUP;

/** A page of matches beside the bench's own; written when it is asked for, since together they are large. */
export interface MatchPage {
  name: string;
  title: string;
  /** Of the calls it shows and no other page does. */
  callKeys: string[];
  write: () => string;
}

export function matchPages(source: BenchPageSource): MatchPage[] {
  const { benchId } = source.report;
  const { matches } = source.record;
  const count = Math.ceil(matches.length / MATCHES_PER_PAGE);
  return Array.from({ length: count }, (_, i) => {
    const some = matches.slice(i * MATCHES_PER_PAGE, (i + 1) * MATCHES_PER_PAGE);
    const title = `Matches ${some[0]!.index} to ${some.at(-1)!.index}`;
    return {
      name: `${benchId}-matches/${String(i + 1).padStart(3, '0')}.html`,
      title,
      callKeys: callKeysOf(some),
      write: () => matchPage(source, some, title),
    };
  });
}

function matchPage(source: BenchPageSource, matches: readonly RecordedMatch[], title: string): string {
  const { benchId, isSimulated } = source.report;
  const listed = listMatches(source, matches);
  const shown = new Set(matches.flatMap(({ hypA, hypB }) => [hypA, hypB]));
  const hypotheses = source.blocks.list(shown);
  return pageFrame({
    title: `${title} of bench ${benchId}`,
    sections: [
      { id: 'matches', name: title },
      { id: 'hypotheses', name: 'Their hypotheses' },
    ],
    body: [
      html`<header class="top"><p class="eyebrow">Bench ${benchId}</p><h1>${title}</h1>
<p><a href="../${benchId}.html">Back to the bench</a></p>
${isSimulated ? html`<p class="banner" role="note">Simulated: models, verdicts and dollars are made up.</p>` : null}</header>`,
      section('matches', 'Matches', listed.markup),
      section('hypotheses', 'Their hypotheses', html`<div class="list">${hypotheses.blocks}</div>`),
    ],
    transcripts: source.transcripts.groupsOf([...listed.callKeys, ...hypotheses.callKeys]),
  });
}

function listMatches(
  { record, report, transcripts }: BenchPageSource,
  matches: readonly RecordedMatch[],
): PagePart {
  const names: MatchNames = {
    labels: new Map(record.candidates.map(({ id, label }) => [id, label])),
    hypotheses: new Map(
      record.hypotheses.map(({ id, publicId, k, record: text }) => [
        id,
        { publicId, k, title: text?.title ?? null },
      ]),
    ),
  };
  const labels = report.candidates.map(({ label }) => label).sort();
  if (matches.length === 0)
    return { markup: html`<p class="note">No match was scheduled.</p>`, callKeys: [] };
  return {
    callKeys: callKeysOf(matches),
    markup: html`<form class="filter" data-filters="match"><label>Candidate ${select('label', labels)}</label><label>Outcome <select name="kind"><option value="">all</option><option value="clear">both orders agree</option><option value="half">half flip</option><option value="flip">flip</option><option value="tie">tie</option><option value="unplayed">unplayed</option></select></label><output aria-live="polite"></output></form>
<p class="note keys">Keys: <kbd>j</kbd> and <kbd>k</kbd> go to the next and the previous, <kbd>Enter</kbd> opens.</p>
<div class="list">${matches.map((match) => matchBlock(match, names, transcripts))}</div>`,
  };
}

function callKeysOf(matches: readonly RecordedMatch[]): string[] {
  return matches.flatMap(({ verdicts }) => verdicts.flatMap(({ callKey }) => turnKeys(callKey)));
}

function select(name: string, values: readonly string[]): Markup {
  return html`<select name="${name}"><option value="">all</option>${values.map((value) => html`<option>${value}</option>`)}</select>`;
}
