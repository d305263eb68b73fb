import type { RecordedMatch } from '../../../core/report/recorded-bench';
import type { BenchPageSource } from './bench-page';
import { hypothesisBlock } from './hypothesis-block';
import { html, type Markup } from './markup';
import { type MatchNames, matchBlock } from './match-block';
import { pageFrame, section } from './page-frame';
import type { PackedTranscript } from './transcript-store';

/** Part of a page with the transcripts that it can open. */
export interface Listed {
  markup: Markup;
  transcripts: PackedTranscript[];
}

/** Every slot, in the order of the plan. */
export function hypothesisList(source: BenchPageSource): Listed {
  const labels = source.report.candidates.map(({ label }) => label).sort();
  const { blocks, transcripts } = hypothesisBlocks(source, null);
  return {
    transcripts,
    markup: html`<form class="filter" data-filters="hypothesis"><label>Candidate ${select('label', labels)}</label><label>Words <input type="search" name="words"></label><output aria-live="polite"></output></form>
<div class="list">${blocks}</div>`,
  };
}

export function matchList(source: BenchPageSource): Listed {
  return listMatches(source, source.record.matches);
}

const MATCHES_PER_PAGE = 250;

/** A page of matches beside the bench's own; written when it is asked for, since together they are large. */
export interface MatchPage {
  name: string;
  title: string;
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
      write: () => matchPage(source, some, title),
    };
  });
}

function matchPage(source: BenchPageSource, matches: readonly RecordedMatch[], title: string): string {
  const { benchId, isSimulated } = source.report;
  const listed = listMatches(source, matches);
  const shown = new Set(matches.flatMap(({ hypA, hypB }) => [hypA, hypB]));
  const hypotheses = hypothesisBlocks(source, shown);
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
    transcripts: [...listed.transcripts, ...hypotheses.transcripts],
  });
}

function listMatches(
  { record, report, transcripts }: BenchPageSource,
  matches: readonly RecordedMatch[],
): Listed {
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
    return { markup: html`<p class="note">No match was scheduled.</p>`, transcripts: [] };
  return {
    transcripts: matches.flatMap(({ verdicts }) =>
      verdicts.flatMap(({ callKey }) => transcripts.find(callKey) ?? []),
    ),
    markup: html`<form class="filter" data-filters="match"><label>Candidate ${select('label', labels)}</label><label>Outcome <select name="kind"><option value="">all</option><option value="clear">both orders agree</option><option value="half">half flip</option><option value="flip">flip</option><option value="tie">tie</option><option value="unplayed">unplayed</option></select></label><output aria-live="polite"></output></form>
<p class="note keys">Keys: <kbd>j</kbd> and <kbd>k</kbd> go to the next and the previous, <kbd>Enter</kbd> opens.</p>
<div class="list">${matches.map((match) => matchBlock(match, names, transcripts))}</div>`,
  };
}

/** @param only ids of the slots to show; null: all */
function hypothesisBlocks(
  { record, report, transcripts }: BenchPageSource,
  only: ReadonlySet<string> | null,
): { blocks: Markup[]; transcripts: PackedTranscript[] } {
  const keysOf = callKeysBySlot(record.calls.map(({ key }) => key));
  const shown = record.hypotheses
    .map((recorded, i) => ({ recorded, report: report.hypotheses[i]! }))
    .filter(({ recorded }) => only === null || only.has(recorded.id));
  const keys = (id: string) => (keysOf.get(id) ?? []).filter((key) => transcripts.find(key) !== null);
  return {
    blocks: shown.map(({ recorded, report: own }) =>
      hypothesisBlock({ recorded, report: own, transcripts, callKeys: keys(recorded.id) }),
    ),
    transcripts: shown.flatMap(({ recorded }) =>
      keys(recorded.id).flatMap((key) => transcripts.find(key) ?? []),
    ),
  };
}

/** Turns in their order, the review last. */
function callKeysBySlot(keys: readonly string[]): Map<string, string[]> {
  const turns = new Map<string, Map<string, number>>();
  for (const key of keys) {
    const found = /^(.*\/\d+)\/(?:turn\/(\d+)|review)$/.exec(key);
    if (!found) continue;
    const own = turns.get(found[1]!) ?? new Map<string, number>();
    turns.set(found[1]!, own.set(key, found[2] === undefined ? Number.POSITIVE_INFINITY : Number(found[2])));
  }
  return new Map(
    [...turns].map(([slot, own]) => [
      slot,
      [...own].sort(([, one], [, other]) => one - other).map(([key]) => key),
    ]),
  );
}

function select(name: string, values: readonly string[]): Markup {
  return html`<select name="${name}"><option value="">all</option>${values.map((value) => html`<option>${value}</option>`)}</select>`;
}
