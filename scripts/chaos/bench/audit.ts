import type { RecordedBench, RecordedCall } from '../../../core/report/recorded-bench';
import type { FailureLine } from '../../../db/failure-lines';
import type { JournalEntry } from '../journal-double';
import type { FallenBlow } from './bench-run';
import { PRICES } from './bench-under-test';
import { type Outcome, outcomeOf } from './outcome';

/** One thing that must hold of a bench that was struck, and what was found. */
export interface Check {
  name: string;
  isGood: boolean;
  found: string;
}

export interface Evidence {
  bench: RecordedBench;
  failures: FailureLine[];
  journal: readonly JournalEntry[];
  fallen: readonly FallenBlow[];
  undisturbed: Outcome;
}

export function auditBench(evidence: Evidence): Check[] {
  return [
    ...compareOutcomes(evidence),
    ...joinJournal(evidence),
    checkSettledOnce(evidence),
    ...explainDoubt(evidence),
    ...checkMoney(evidence),
    ...checkFailures(evidence),
  ];
}

function compareOutcomes({ bench, undisturbed }: Evidence): Check[] {
  const outcome = outcomeOf(bench);
  const parts = Object.keys(outcome) as (keyof Outcome)[];
  return parts.map((part) => ({
    name: `${part}: identical to the undisturbed run`,
    isGood: outcome[part] === undisturbed[part],
    found:
      outcome[part] === undisturbed[part]
        ? `${outcome[part].length} characters`
        : firstDifference(outcome[part], undisturbed[part]),
  }));
}

function firstDifference(one: string, other: string): string {
  const at = [...one].findIndex((character, i) => character !== other[i]);
  const around = (text: string): string => text.slice(Math.max(0, at - 40), at + 40).replace(/\s+/g, ' ');
  return `…${around(one)}… and not …${around(other)}…`;
}

/** Journal and ledger name each request by key and attempt. */
function joinJournal({ bench, journal }: Evidence): Check[] {
  const rows = new Set(bench.calls.map(nameOf));
  const seen = new Set(journal.map(({ callId }) => callId));
  const strangers = journal.filter(({ callId }) => !rows.has(callId));
  const unseen = bench.calls.filter((call) => !seen.has(nameOf(call)));
  const unexplained = unseen.filter(
    ({ state, failureKind }) => state !== 'in_doubt' && failureKind !== 'not_sent',
  );
  return [
    {
      name: 'every request the double saw is one row of the ledger',
      isGood: strangers.length === 0 && seen.size === journal.length,
      found: `${journal.length} requests, ${bench.calls.length} rows, ${strangers.length} without a row`,
    },
    {
      name: 'rows without a request died before they were sent: in doubt, or not sent',
      isGood: unexplained.length === 0,
      found: `${unseen.length} of them`,
    },
  ];
}

function checkSettledOnce({ bench }: Evidence): Check {
  const settled = new Map(
    bench.calls.flatMap(({ key, state, endedAt }) => (state === 'settled' ? [[key, endedAt ?? '']] : [])),
  );
  const again = bench.calls.filter(({ key, sentAt }) => sentAt > (settled.get(key) ?? '9'));
  const superseded = bench.calls.filter(({ state }) => state === 'superseded').length;
  return {
    name: 'settled keys sent again: 0',
    isGood: again.length === 0,
    found: `${again.length} of ${settled.size} keys; ${superseded} answers came second to a key in doubt`,
  };
}

/** Around a blow's time: what went out, or was booked, within this was in flight. */
const MARGIN_MS = 250;

function explainDoubt({ bench, journal, fallen }: Evidence): Check[] {
  const inDoubt = bench.calls.filter(({ state }) => state === 'in_doubt');
  const disconnects = journal.filter(({ fault }) => fault === 'disconnect');
  const cut = new Set(disconnects.map(({ callId }) => callId));
  const deadly = fallen.filter(({ blow }) => blow.kind === 'kill' || blow.kind === 'postgres');
  const inFlight = deadly.map(
    ({ at }) =>
      journal.filter(
        ({ arrivedAt, answeredAt, abandonedAt }) =>
          arrivedAt <= at + MARGIN_MS && (answeredAt ?? abandonedAt ?? at) >= at - MARGIN_MS,
      ).length,
  );
  const sum = inFlight.reduce((total, count) => total + count, 0);
  const seen = new Set(journal.map(({ callId }) => callId));
  const doubtful = inDoubt.filter((call) => seen.has(nameOf(call)));
  const unexplained = inDoubt.filter(
    (call) => !cut.has(nameOf(call)) && !deadly.some(({ at }) => wasOut(call, at)),
  );
  return [
    {
      name: 'in doubt ≤ in flight at the kills + injected disconnects, as the journal shows',
      isGood: doubtful.length <= sum + disconnects.length,
      found: `${doubtful.length} ≤ ${sum} + ${disconnects.length}`,
    },
    {
      name: 'each call in doubt was cut off by a kill, a Postgres restart or a disconnect',
      isGood: unexplained.length === 0,
      found: `${inDoubt.length} in doubt, ${unexplained.length} unexplained`,
    },
  ];
}

function wasOut({ sentAt, endedAt }: RecordedCall, at: number): boolean {
  return Date.parse(sentAt) <= at + MARGIN_MS && (endedAt === null || Date.parse(endedAt) >= at - MARGIN_MS);
}

function checkMoney({ bench, journal }: Evidence): Check[] {
  const charged = new Map(bench.calls.map((call) => [nameOf(call), call]));
  const billed = journal.map((entry) => ({ entry, usd: billOf(entry, charged.get(entry.callId)) }));
  const under = billed.filter(({ entry, usd }) => usd > (charged.get(entry.callId)?.chargedUsd ?? 0) + 1e-12);
  const total = (values: number[]): number => values.reduce((sum, value) => sum + value, 0);
  const chargedUsd = total(bench.calls.map((call) => call.chargedUsd));
  const billedUsd = total(billed.map(({ usd }) => usd));
  const untrue = bench.budgets.filter(({ id, heldUsd }) => {
    const calls = bench.calls.filter(({ scopeIds }) => scopeIds.includes(id));
    return Math.abs(heldUsd - total(calls.map((call) => call.chargedUsd))) > 1e-9;
  });
  return [
    {
      name: 'charged ≥ what the double billed, for each call and in all',
      isGood: under.length === 0 && chargedUsd >= billedUsd,
      found: `$${chargedUsd.toFixed(4)} ≥ $${billedUsd.toFixed(4)}, ${under.length} calls below`,
    },
    {
      name: 'what each budget holds is the sum of its calls',
      isGood: untrue.length === 0,
      found: `${bench.budgets.length} budgets`,
    },
  ];
}

/** As the provider would bill it: by its tokens, at the prices agreed. */
function billOf({ billed }: JournalEntry, call: RecordedCall | undefined): number {
  if (!billed || !call) return 0;
  // OpenRouter's own bill, as the double reports it: a hundredth of a cent for ten tokens.
  if (call.provider === 'openrouter') return (billed.inputTokens + billed.outputTokens) / 1e5;
  const price = PRICES[`${call.provider}:${call.model}`];
  if (!price) throw new Error(`no price for ${call.provider}:${call.model}`);
  return (billed.inputTokens * price.inputUsdPerMTok + billed.outputTokens * price.outputUsdPerMTok) / 1e6;
}

const KIND_OF_FAULT = { rate_limited: 'rate_limited', server_error: 'server_error', disconnect: 'dropped' };

function checkFailures({ bench, failures, journal }: Evidence): Check[] {
  const listed = new Map(failures.map((line) => [`${line.place}#${line.attempt}`, line]));
  const faulty = journal.filter(({ fault }) => fault !== null);
  const unlisted = faulty.filter(({ fault, callId, answeredAt }) => {
    const line = listed.get(callId);
    // A refusal on its way to a worker that was just killed is in doubt, as any answer there.
    if (line?.kind === 'dropped' && line.detail === 'in_doubt') return false;
    const hasId = fault === 'disconnect' || answeredAt === null || line?.requestId !== null;
    return !line || !fault || line.kind !== KIND_OF_FAULT[fault] || !hasId;
  });
  const bad = bench.calls.filter(({ state }) => state === 'failed' || state === 'in_doubt');
  const missing = bad.filter((call) => !listed.get(nameOf(call))?.kind);
  const scored = bench.matches.filter(
    ({ state, winner, scoreA, verdicts }) =>
      (state === 'played') !== (verdicts.length === 2 && verdicts.every((v) => v.state === 'valid')) ||
      (state !== 'played' && (winner !== null || scoreA !== null)),
  );
  const invalid = bench.matches.flatMap(({ verdicts }) => verdicts.filter((v) => v.state === 'invalid'));
  return [
    {
      name: 'every injected fault stands in `failures` with its kind, request id and attempt',
      isGood: unlisted.length === 0,
      found: `${faulty.length} faults, ${unlisted.length} missing`,
    },
    {
      name: 'every failed or doubtful call stands there',
      isGood: missing.length === 0,
      found: `${bad.length} calls, ${missing.length} missing`,
    },
    {
      name: 'no failure is a win, a tie or a zero: played means two valid verdicts',
      isGood: scored.length === 0,
      found: `${bench.matches.length} matches, ${invalid.length} invalid verdicts, ${scored.length} scored wrongly`,
    },
  ];
}

function nameOf({ key, attempt }: RecordedCall): string {
  return `${key}#${attempt}`;
}
