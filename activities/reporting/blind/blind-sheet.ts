import type { BlindItem, BlindSample } from '../../../core/report/blind-sample';
import { countText } from '../../../core/report/figure-text';
import type { RecordedBench } from '../../../core/report/recorded-bench';
import { writeHypothesisText } from '../../hypothesis-text';
import { csvText } from '../csv/write-csv';
import { paragraphs } from '../html/hypothesis-block';
import { html, type Markup } from '../html/markup';
import { BLIND_SCRIPT, pageFrame, section } from '../html/page-frame';
import { sampleName } from './blind-key';

/** The words a person reads of an item: those the judge read, without the reviews, which are a model's own verdicts. */
interface SheetRow {
  item: number;
  left: string;
  right: string;
}

const COLUMNS = ['sample', 'item', 'left', 'right', 'answer', 'comment'];

/** The sheet as a table: `answer` and `comment` are the person's to fill in. */
export function blindCsv(record: RecordedBench, sample: BlindSample): string {
  const name = sampleName(sample);
  const rows = rowsOf(record, sample).map(({ item, left, right }) => [name, item, left, right, '', '']);
  return csvText([COLUMNS, ...rows]);
}

/** The sheet as a page that keeps the answers in its form and saves them as a table. */
export function blindPage(record: RecordedBench, sample: BlindSample): string {
  const rows = rowsOf(record, sample);
  return pageFrame({
    title: 'Which of the two is better?',
    sections: [],
    transcripts: [],
    script: BLIND_SCRIPT,
    body: [
      html`<header class="top"><h1>Which of the two is better?</h1>
<p>${countText(rows.length, 'pair')} of hypotheses, each from two authors. Read both and say which one you would rather see tested, or that you cannot tell. Who wrote them, and what anybody else said of them, is not on this page.</p>
<div class="goal">${paragraphs(record.run.goal)}</div>
</header>`,
      html`<form id="answers" data-sample="${sampleName(sample)}">${rows.map(itemSection)}
<p class="save"><button type="submit">Save the answers as a table</button> <output aria-live="polite"></output></p>
</form>`,
    ],
  });
}

function itemSection({ item, left, right }: SheetRow): Markup {
  const name = `item-${item}`;
  const choice = (value: string, words: string) =>
    html`<label><input type="radio" name="${name}" value="${value}"> ${words}</label> `;
  return section(
    name,
    `Pair ${item}`,
    html`<div class="pair">
<article class="side"><h3>Left</h3><div class="text">${paragraphs(left)}</div></article>
<article class="side"><h3>Right</h3><div class="text">${paragraphs(right)}</div></article>
</div>
<fieldset class="answer" data-item="${item}"><legend>Pair ${item}: the better one is</legend>${choice('left', 'left')}${choice('tie', 'neither')}${choice('right', 'right')}<label class="comment">Comment <input type="text" name="${name}-comment"></label></fieldset>`,
  );
}

function rowsOf({ run, matches, hypotheses }: RecordedBench, { items }: BlindSample): SheetRow[] {
  const view = run.plan.judgeView;
  const texts = new Map(
    hypotheses.map(({ id, record }) => [id, record && writeHypothesisText(record, view)]),
  );
  const byIndex = new Map(matches.map((match) => [match.index, match]));
  return items.map(({ item, match: index, left }: BlindItem) => {
    const match = byIndex.get(index);
    const [a, b] = [texts.get(match?.hypA ?? ''), texts.get(match?.hypB ?? '')];
    if (!a || !b) throw new Error(`match ${index}: played without a hypothesis`);
    return left === 'a' ? { item, left: a, right: b } : { item, left: b, right: a };
  });
}
