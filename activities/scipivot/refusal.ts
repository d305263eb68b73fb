import { firstCharacters } from '../../core/first-characters';

const MOST_SHOWN = 20;
const LONGEST_PROBLEM = 300;

/**
 * A file that was not taken, whole: with the places where it breaks a rule, the first twenty of them. Values
 * are not repeated, for a file of references would give its labels away.
 */
export class FileRefused extends Error {
  override readonly name = 'FileRefused';

  constructor(
    /** What the file is to us: `questions`, `aggregates`, `references`, `predictions`. */
    readonly file: string,
    /** At most twenty, each as `line 17: subject: rule`. */
    readonly problems: readonly string[],
    /** How many there are in all. */
    readonly nProblems: number,
  ) {
    super(
      `${file}: ${problems.join('; ')}${nProblems > problems.length ? `; ${nProblems} problems in all` : ''}`,
    );
  }
}

/** Collects what is wrong with one file, so that all of it is told at once, in little memory. */
export class ProblemList {
  private readonly shown: string[] = [];
  private count = 0;

  constructor(private readonly file: string) {}

  get isEmpty(): boolean {
    return this.count === 0;
  }

  add(problem: string): void {
    this.count++;
    if (this.shown.length < MOST_SHOWN) this.shown.push(oneShortLine(problem));
  }

  /** @throws FileRefused when anything was added */
  throwIfAny(): void {
    if (!this.isEmpty) throw new FileRefused(this.file, this.shown, this.count);
  }
}

/** `references[3].label`, as everywhere in messages. */
export function pathText(path: readonly (string | number)[]): string {
  const text = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
  return text.replace(/^\./, '') || 'the whole';
}

/** Keys and ids of a hostile file are part of a problem: they must neither flood a terminal nor steer it. */
function oneShortLine(problem: string): string {
  const printable = problem.replace(
    /\p{C}/gu,
    (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`,
  );
  return printable.length <= LONGEST_PROBLEM
    ? printable
    : `${firstCharacters(printable, LONGEST_PROBLEM - 1)}…`;
}
