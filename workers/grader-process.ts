import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/** The grader, in a process of its own beside this one. */
export interface GraderProcess {
  /** Resolves when it polls. @throws Error when it ends before that */
  ready: Promise<void>;
  /** Lets it drain, and waits for its end. */
  stop(): Promise<void>;
}

const RESTART_MS = 1_000;

/**
 * Starts the grader with its own URL and with none of ours, nor any key: what runs candidates and what reads answer
 * keys share no memory and no role. One that dies is started again; it ends when this process does.
 */
export function startGrader(databaseUrl: string, env: NodeJS.ProcessEnv = process.env): GraderProcess {
  let isStopping = false;
  // A Ctrl-C reaches both at once.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      isStopping = true;
    });
  }
  let child = forkGrader(databaseUrl, env);
  const ready = untilReady(child);
  const supervise = async (): Promise<void> => {
    await ready;
    while (!isStopping) {
      // One that could not be started has ended too: once() throws its error.
      if (isAlive(child)) await once(child, 'exit').catch(() => {});
      if (isStopping) return;
      process.stderr.write('the grader ended; it is started again\n');
      await sleep(RESTART_MS);
      if (!isStopping) child = forkGrader(databaseUrl, env);
    }
  };
  // What keeps it from its first start is told by `ready`.
  void supervise().catch(() => {});
  return {
    ready,
    stop: async () => {
      isStopping = true;
      if (!isAlive(child)) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function forkGrader(databaseUrl: string, env: NodeJS.ProcessEnv): ChildProcess {
  return fork(require.resolve('./grader'), [], {
    env: graderEnvironment(databaseUrl, env),
    execArgv: loaderArguments(),
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
}

/** The CLI loads TypeScript by a hook of its own; a process beside it needs the loader's flag. */
function loaderArguments(): string[] {
  const isLoaded = process.execArgv.some((argument) => argument.includes('tsx'));
  return isLoaded ? process.execArgv : [...process.execArgv, '--import', 'tsx'];
}

const PASSED_ON =
  /^(PATH|HOME|TMPDIR|TZ|LANG|LC_\w+|NODE_\w+|XDG_\w+|SSL_\w+|PGSSL\w+|TEMPORAL_\w+|CO_SCIENTIST_(TASK_QUEUE|LOG|BUILD_ID))$/;

/** Exported for its test. */
export function graderEnvironment(databaseUrl: string, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const passedOn = Object.entries(env).filter(([name]) => PASSED_ON.test(name));
  return { ...Object.fromEntries(passedOn), DATABASE_GRADER_URL: databaseUrl };
}

async function untilReady(child: ChildProcess): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve());
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      reject(new Error(`the grader ended with ${signal ?? `exit code ${code}`} before it was ready`));
    });
  });
}

function isAlive(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}
