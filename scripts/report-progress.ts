/** Tells the user what is going on, on stderr: stdout belongs to the result. */
export function reportProgress(line: string): void {
  process.stderr.write(`${line}\n`);
}
