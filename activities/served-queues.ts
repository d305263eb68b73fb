import { knownWords, quote } from '../core/problem-text';
import { suggest } from '../presets/suggest';
import { isKnownProvider, KNOWN_PROVIDERS, missingKeyHint } from './providers';

/** Which queues a worker process takes tasks from. */
export interface ServedQueues {
  /** The base queue: workflows, and the activities that only touch rows. */
  rows: boolean;
  literature: boolean;
  grader: boolean;
  /** Each one's calls to models. */
  providers: string[];
  /** Queues that it could serve if it had something it lacks, and what that is. */
  notServed: { queue: string; why: string }[];
}

/** Queues were asked for that do not exist, or that this process cannot serve. */
export class UnservableQueues extends Error {
  constructor(readonly problems: string[]) {
    super(`queues: ${problems.join('; ')}`);
    this.name = 'UnservableQueues';
  }
}

export interface ServerAbilities {
  /** Providers that this process has keys for. */
  openProviders: Iterable<string>;
  /** Why it cannot grade; null: it can. */
  whyNoGrader: string | null;
}

const PREFIX = 'provider.';

/**
 * Chooses the queues of a worker: those it can serve, or of these the ones that were asked for.
 * @param asked `rows,provider.openai,literature,grader` in any order; empty: all that it can serve
 * @throws UnservableQueues with every problem
 */
export function chooseQueues(asked: string | undefined, able: ServerAbilities): ServedQueues {
  const open = [...able.openProviders];
  const names = [...new Set((asked ?? '').split(',').map((name) => name.trim()))].filter(
    (name) => name !== '',
  );
  if (names.length === 0) return allQueues(open, able.whyNoGrader);
  const problems = names.flatMap((name) => problemOf(name, open, able.whyNoGrader) ?? []);
  if (problems.length > 0) throw new UnservableQueues(problems);
  return {
    rows: names.includes('rows'),
    literature: names.includes('literature'),
    grader: names.includes('grader'),
    providers: open.filter((provider) => names.includes(PREFIX + provider)),
    notServed: [],
  };
}

/** As `--queues` names them. */
export function servedNames({ rows, literature, grader, providers }: ServedQueues): string[] {
  return [
    ...(rows ? ['rows'] : []),
    ...providers.map((provider) => PREFIX + provider),
    ...(literature ? ['literature'] : []),
    ...(grader ? ['grader'] : []),
  ];
}

function allQueues(open: string[], whyNoGrader: string | null): ServedQueues {
  const closed = KNOWN_PROVIDERS.filter((provider) => !open.includes(provider));
  return {
    rows: true,
    literature: true,
    grader: whyNoGrader === null,
    providers: open,
    notServed: [
      ...closed.map((provider) => ({ queue: PREFIX + provider, why: `set ${missingKeyHint(provider)}` })),
      ...(whyNoGrader === null ? [] : [{ queue: 'grader', why: whyNoGrader }]),
    ],
  };
}

function problemOf(name: string, open: readonly string[], whyNoGrader: string | null): string | null {
  if (name === 'rows' || name === 'literature') return null;
  if (name === 'grader') return whyNoGrader === null ? null : `grader: ${whyNoGrader}`;
  const provider = name.startsWith(PREFIX) ? name.slice(PREFIX.length) : '';
  if (!isKnownProvider(provider)) {
    const known = ['rows', ...KNOWN_PROVIDERS.map((it) => PREFIX + it), 'literature', 'grader'];
    return `no queue ${quote(name)} (${knownWords(name, known, suggest)})`;
  }
  if (open.includes(provider)) return null;
  return `${name}: this process has no key for it (set ${missingKeyHint(provider)})`;
}
