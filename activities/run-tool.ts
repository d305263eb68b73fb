import { Context } from '@temporalio/activity';
import { BrokenInvariant } from '../core/broken-invariant';
import { readOwnedBench } from '../db/benches';
import {
  findToolCall,
  type StoredToolAnswer,
  type StoredToolCall,
  saveToolAnswer,
  type ToolCallRef,
} from '../db/tool-calls';
import type { ActivityDeps, BenchRef } from './activity-deps';
import { tryLater } from './failures';
import { startFlight } from './flight';
import { findWithheldPapers } from './withheld-sources';

export type RunToolInput = BenchRef & ToolCallRef;

/**
 * A host that all candidates share has only so many turns: who finds none comes back, so that nobody's research is
 * poorer for standing further back in the line. After half an hour the model is told.
 */
const MAX_TURNS_AWAY = 120;
const COME_BACK_MS = 5_000;

/** One tool call of a model: run once, its answer kept. What goes wrong outside is an answer too. */
export function createRunTool(deps: ActivityDeps) {
  return async function runTool(input: RunToolInput): Promise<string> {
    const { literature } = deps;
    if (!literature) throw new Error('this worker serves no literature tools');
    const [{ plan }, call] = await Promise.all([
      readOwnedBench(deps.db, input),
      findToolCall(deps.db, input),
    ]);
    if (!call) throw new BrokenInvariant(`${input.hypothesisId}: no tool call ${input.turn}.${input.index}`);
    if (call.answer) return call.answer.outcome;
    const startedAt = performance.now();
    const flight = startFlight(deps.calls, async () => {}, deps.stopped);
    try {
      const source = literature.find(plan.literature, call.tool);
      if (!source) throw new Error(`tool ${call.tool}: not served by this worker`);
      const answer = await source.run(
        readArguments(call),
        literature.open(flight.signal, findWithheldPapers(plan)),
      );
      if (answer.failureKind === 'host_busy' && Context.current().info.attempt < MAX_TURNS_AWAY) {
        throw tryLater('HostBusy', `${input.hypothesisId}: ${call.tool} waits for its turn`, COME_BACK_MS);
      }
      const stored: StoredToolAnswer = {
        outcome: answer.outcome,
        failureKind: answer.failureKind ?? null,
        text: answer.text,
        documents: answer.documents,
        cache: answer.cached ? 'hit' : 'miss',
        withheldCount: answer.withheldCount,
        latencyMs: Math.round(performance.now() - startedAt),
      };
      await saveToolAnswer(deps.db, input, call, stored);
      return answer.outcome;
    } finally {
      flight.end();
    }
  };
}

function readArguments(call: StoredToolCall): unknown {
  return call.arguments === null ? null : JSON.parse(call.arguments);
}
