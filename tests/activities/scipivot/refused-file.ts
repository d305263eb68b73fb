import { FileRefused } from '../../../activities/scipivot/refusal';

export function refusalOf(read: () => unknown): FileRefused {
  try {
    read();
  } catch (error) {
    if (error instanceof FileRefused) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

export function problemsOf(read: () => unknown): readonly string[] {
  return refusalOf(read).problems;
}
