import logUpdate from 'log-update';
import type { BenchProgress } from '../../db/progress';
import { progressEvents } from './progress-events';
import { formatElapsed, progressLines } from './progress-view';
import { coloursFor } from './terminal';

/** Where a bench's progress is shown: stderr, for stdout belongs to the result. */
export interface ProgressScreen {
  show(progress: BenchProgress): void;
  /** A line that stays. */
  say(line: string): void;
  /** Takes the live block away and gives the cursor back. */
  close(): void;
}

/** Redrawn in place on a terminal; elsewhere a line for what has changed. */
export function openProgressScreen(): ProgressScreen {
  const isLive = process.stderr.isTTY && process.env.TERM !== 'dumb';
  return isLive ? liveScreen() : lineScreen();
}

function liveScreen(): ProgressScreen {
  const update = logUpdate.create(process.stderr);
  const colours = coloursFor(process.stderr);
  let last: BenchProgress | null = null;
  const draw = () => {
    if (!last) return;
    const { columns = 80, rows = 24 } = process.stderr;
    update(progressLines(last, { width: columns, height: rows, colours }).join('\n'));
  };
  return {
    show(progress) {
      last = progress;
      draw();
    },
    say(line) {
      update.clear();
      process.stderr.write(`${line}\n`);
      draw();
    },
    close() {
      last = null;
      update.clear();
      update.done();
    },
  };
}

function lineScreen(): ProgressScreen {
  let last: BenchProgress | null = null;
  return {
    show(progress) {
      const elapsed = formatElapsed(progress.workMs);
      for (const event of progressEvents(last, progress)) process.stderr.write(`[${elapsed}] ${event}\n`);
      last = progress;
    },
    say: (line) => {
      process.stderr.write(`${line}\n`);
    },
    close: () => undefined,
  };
}
