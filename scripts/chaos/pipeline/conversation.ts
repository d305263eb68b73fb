import type { ChatCompletionRequest } from '@copilotkit/aimock';
import { callAnswer, countModelTurns, type ModelAnswer, type ModelCall } from '../model-answer';

/** Tool calls of turns 1 to 11, 30 in all; turn 12 records. */
const CALLS_OF_TURN = [3, 3, 3, 3, 3, 3, 3, 3, 2, 2, 2];

export const TURNS = CALLS_OF_TURN.length + 1;
export const TOOL_CALLS = CALLS_OF_TURN.reduce((sum, calls) => sum + calls, 0);

/** How many tools a turn, from 1, calls. */
export function callsOfTurn(turn: number): number {
  return CALLS_OF_TURN[turn - 1] ?? 0;
}

/** A model that reads for eleven turns and records in the twelfth: what it says follows from its turns alone. */
export function answerTurn(request: ChatCompletionRequest): ModelAnswer {
  const turn = countModelTurns(request) + 1;
  if (turn >= TURNS) return callAnswer(request, [RECORD]);
  const before = CALLS_OF_TURN.slice(0, turn - 1).reduce((sum, calls) => sum + calls, 0);
  const calls = Array.from({ length: callsOfTurn(turn) }, (_, i) => toolCall(before + i));
  return callAnswer(request, calls);
}

const NOTES = 'https://example.org/co-scientist-bench/notes/';
const PAGES = [
  'lsc-definition',
  'oxphos-dependence',
  'bcl2-dependence',
  'ferroptosis-basics',
  'redox-balance',
];
const SEARCHES = ['search_pubmed', 'search_europe_pmc', 'search_arxiv', 'search_web', 'search_pubmed'];
const WORDS = ['stem cell', 'mitochondria', 'venetoclax', 'iron', 'niche', 'repurposing'];

/** Every sixth fetches a page, the others search; no two are equal. */
function toolCall(index: number): ModelCall {
  const round = Math.floor(index / 6);
  if (index % 6 === 5) return { tool: 'fetch_page', arguments: { url: NOTES + PAGES[round] } };
  const words = WORDS[(index + round) % WORDS.length];
  return {
    tool: SEARCHES[index % 6] ?? 'search_pubmed',
    arguments: { query: `${words} ${index}`, maxResults: 2 },
  };
}

const RECORD: ModelCall = {
  tool: 'record_hypothesis',
  arguments: {
    title: 'A metabolic double block of leukaemic stem cells',
    summary:
      'Two weak inhibitors of respiration together starve quiescent cells that either alone would spare.',
    full_text: 'Quiescent cells lean on respiration. One block they route around; two at once they cannot.',
    mechanism:
      'Complex I slows, fatty-acid oxidation cannot make up for it, the energy charge falls, the cell dies.',
    entities: ['complex I', 'fatty-acid oxidation'],
    citations: [
      { url: `${NOTES}oxphos-dependence`, title: 'Oxidative phosphorylation', excerpt: 'resistant cells' },
      { url: 'https://example.org/never-read', title: 'Never read', excerpt: 'nothing' },
    ],
    falsification: 'Graft treated and untreated cells in limiting dilution; equal engraftment ends the idea.',
  },
};
