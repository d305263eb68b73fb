/**
 * A key of the environment, without blanks and line ends around it (a file that it was read from ends in one); null
 * when it is not set. One with any other character than printable ASCII is a problem, told without its value: no header
 * can hold it, so nothing could ever be sent with it.
 * @param problems where to add it, as `NAME: what is wrong`
 */
export function readSecret(env: NodeJS.ProcessEnv, name: string, problems: string[]): string | null {
  const value = env[name]?.trim();
  if (!value) return null;
  if (/^[\x21-\x7E]+$/.test(value)) return value;
  problems.push(`${name}: holds characters that no key has (a blank, a line end, one outside ASCII)`);
  return null;
}
