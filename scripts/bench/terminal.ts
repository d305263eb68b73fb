import { createColors } from 'picocolors';

export type Colours = ReturnType<typeof createColors>;

/** Where text is printed. */
export interface Screen {
  /** Columns; infinite where there is no edge to keep to. */
  width: number;
  colours: Colours;
}

/** Colours where a person looks at this stream; plain text in a pipe or a file, and under NO_COLOR. */
export function coloursFor(stream: NodeJS.WriteStream): Colours {
  const isWanted = stream.isTTY && !process.env.NO_COLOR && process.env.TERM !== 'dumb';
  return createColors(Boolean(isWanted));
}

export function screenOf(stream: NodeJS.WriteStream): Screen {
  return { width: widthOf(stream), colours: coloursFor(stream) };
}

/** Columns of the stream's terminal, or COLUMNS; without either there is no edge to keep to. */
export function widthOf(stream: NodeJS.WriteStream): number {
  const given = Number(process.env.COLUMNS);
  return stream.columns || (given > 0 ? given : Number.POSITIVE_INFINITY);
}
