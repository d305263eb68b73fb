import type { JudgeFlag } from '../ratings/judge-flags';

/** A conflict as a reader is told of it. Plain text. */
export function flagText(flag: JudgeFlag): string {
  switch (flag.kind) {
    case 'judge_of_candidates_maker':
      return `The judge ${flag.judge} is made by ${flag.maker}, as is the model of ${flag.candidate}.`;
    case 'judge_is_reviewer':
      return `The judge ${flag.judge} reads reviews that it wrote itself.`;
    case 'judge_is_candidate':
      return `The judge ${flag.judge} is also the candidate ${flag.candidate}.`;
  }
}
