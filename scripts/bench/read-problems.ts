import { printable } from './printable';

/** A failure's message as our workflows and activities write it: a line that ends with a colon, then a line a problem. */
export function readProblems(message: string): { head: string; problems: string[] } {
  const [head = '', ...problems] = message.split('\n- ');
  return { head: printable(head).replace(/:$/, ''), problems: problems.map(printable) };
}
