import type { CallKind } from '../../core/bench-states';
import type { EvalArea, EvalCheck } from '../../core/evaluation/eval-check';
import { firstCharacters } from '../../core/first-characters';
import type { Difference } from '../../core/report/difference';
import type { RecordedAttempt, RecordedBench } from '../../core/report/recorded-bench';
import { RawAnswers } from '../reporting/verify/raw-answers';
import type { RunningCheck } from './transcripts';

type Bench = Pick<RecordedBench, 'hypotheses' | 'matches'>;

/** What the rows of an agent hold is what the raw answers say; no request or answer was changed since. */
export class StoredRecords implements RunningCheck {
  private readonly raw: RawAnswers;
  private readonly differences: Difference[] = [];
  private readonly checked: number;

  constructor(
    private readonly area: EvalArea,
    private readonly kind: CallKind,
    bench: Bench,
  ) {
    const own = ownRows(kind, bench);
    this.raw = new RawAnswers(own);
    this.checked = countRecords(kind, own);
  }

  add(attempts: readonly RecordedAttempt[]): void {
    const kind = attempts[0]?.kind;
    // A verdict whose debate broke off rests on an argument.
    const isOwn = kind === this.kind || (this.kind === 'judge' && kind === 'debate');
    if (isOwn) this.differences.push(...this.raw.check(attempts));
  }

  end(): EvalCheck {
    const violations = [...this.differences, ...this.raw.rest()].map(differenceAsViolation);
    return {
      area: this.area,
      name: 'stored-records',
      unit: 'records',
      checked: this.checked,
      violations,
      notes: [],
    };
  }
}

/** Names the field and never quotes the texts, which may be long. */
export function differenceAsViolation({ subject, field, stored, recomputed }: Difference) {
  return {
    subject,
    message: `${field}: stored ${shortened(stored)}, by the transcripts ${shortened(recomputed)}`,
  };
}

const MOST = 60;

function shortened(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > MOST ? `${firstCharacters(text, MOST)}…` : text;
}

/** Without the rows of others: each kind of call is held against its own. */
function ownRows(kind: CallKind, { hypotheses, matches }: Bench): Bench {
  if (kind === 'generation') {
    return { hypotheses: hypotheses.map((slot) => ({ ...slot, review: null })), matches: [] };
  }
  if (kind === 'review')
    return { hypotheses: hypotheses.map((slot) => ({ ...slot, record: null })), matches: [] };
  return { hypotheses: [], matches };
}

function countRecords(kind: CallKind, { hypotheses, matches }: Bench): number {
  if (kind === 'generation') return hypotheses.filter(({ record }) => record !== null).length;
  if (kind === 'review') return hypotheses.filter(({ review }) => review !== null).length;
  return matches.reduce((sum, { verdicts }) => sum + verdicts.length, 0);
}
