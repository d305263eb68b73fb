import { runProgram } from './run-program';

/** The oldest Go that builds the Temporal CLI (its go.mod). */
export const MINIMUM_GO = '1.25';

/** The Go on PATH; null when there is none. */
export async function goVersion(
  env: NodeJS.ProcessEnv = process.env,
): Promise<{ version: string; isEnough: boolean } | null> {
  const answer = await runProgram('go', ['version'], { timeoutMs: 10_000, env });
  const version = /^go version go(\d+\.\d+\S*)/.exec(answer.stdout)?.[1];
  if (answer.exitCode !== 0 || !version) return null;
  const [major = 0, minor = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  const [neededMajor = 0, neededMinor = 0] = MINIMUM_GO.split('.').map(Number);
  return { version, isEnough: major > neededMajor || (major === neededMajor && minor >= neededMinor) };
}
