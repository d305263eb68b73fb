import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { runProgram } from './run-program';

/**
 * A process we started, told apart from whatever else the system may give its number to later: `birth` is
 * when it began, in the system's own words.
 */
export interface OwnProcess {
  pid: number;
  birth: string;
}

/**
 * The process that has this number now; null when none has, or only one that has ended and was not yet
 * collected by its parent.
 */
export async function identify(pid: number): Promise<OwnProcess | null> {
  const birth = process.platform === 'linux' ? birthFromProc(pid) : await birthFromPs(pid);
  return birth === null ? null : { pid, birth };
}

export async function isAlive(own: OwnProcess | null | undefined): Promise<boolean> {
  return own ? (await identify(own.pid))?.birth === own.birth : false;
}

/**
 * Ends a process of ours: each signal in turn, until it is gone. A number that has passed to another process is
 * left alone.
 * @param graceMs how long it may take to end by itself after the first signal
 * @returns whether it was running
 */
export async function endProcess(
  own: OwnProcess | null | undefined,
  graceMs: number,
  signals: NodeJS.Signals[] = ['SIGTERM', 'SIGKILL'],
): Promise<boolean> {
  if (!own || !(await isAlive(own))) return false;
  for (const [index, signal] of signals.entries()) {
    send(own.pid, signal);
    if (await endsWithin(own, index === 0 ? graceMs : 5_000)) break;
  }
  return true;
}

/**
 * Processes started with exactly this among their arguments: a path in our home that nobody else would name. Finds
 * what we started when the record of it is lost.
 */
export async function processesWithArgument(argument: string): Promise<OwnProcess[]> {
  const pids = process.platform === 'linux' ? await pidsFromProc(argument) : await pidsFromPs(argument);
  const found = await Promise.all(pids.filter((pid) => pid !== process.pid).map(identify));
  return found.filter((own) => own !== null);
}

async function pidsFromProc(argument: string): Promise<number[]> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0);
  const lines = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  );
  return pids.filter((_, index) => lines[index]?.split('\0').includes(argument));
}

async function pidsFromPs(argument: string): Promise<number[]> {
  const answer = await runProgram('ps', ['-ww', '-axo', 'pid=,command='], { timeoutMs: 5_000 });
  const lines = answer.stdout.split('\n').filter((line) => `${line} `.includes(` ${argument} `));
  return lines.map((line) => Number.parseInt(line, 10));
}

async function endsWithin(own: OwnProcess, ms: number): Promise<boolean> {
  const until = Date.now() + ms;
  while (Date.now() < until) {
    if (!(await isAlive(own))) return true;
    await sleep(50);
  }
  return !(await isAlive(own));
}

/** Whether a number belongs to any process, even to one that has ended and was not yet collected. */
export function isTaken(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The command a process was started with, arguments joined by blanks; null when it is gone. */
export async function commandLine(pid: number): Promise<string | null> {
  if (process.platform === 'linux') {
    const text = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => null);
    return text === null ? null : text.replaceAll('\0', ' ').trim();
  }
  const answer = await runProgram('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { timeoutMs: 5_000 });
  return answer.exitCode === 0 ? answer.stdout.trim() : null;
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Ticks since this boot, and the boot: field 22 of /proc/<pid>/stat (proc(5)). */
function birthFromProc(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' '); // from field 3, the state
    if (fields[0] === 'Z' || fields[0] === 'X') return null;
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot}/${fields[19]}`;
  } catch {
    return null;
  }
}

async function birthFromPs(pid: number): Promise<string | null> {
  const answer = await runProgram('ps', ['-o', 'state=,lstart=', '-p', String(pid)], { timeoutMs: 5_000 });
  const line = answer.stdout.trim();
  if (answer.exitCode !== 0 || line === '' || line.startsWith('Z')) return null;
  return line.replace(/^\S+\s+/, '');
}
