import { createScanner, findNodeAtLocation, type Node, parseTree, visit } from 'jsonc-parser';
import { readJson } from '../strict-json';
import { FileRefused } from './refusal';

/** No file of ours, nor a reasonable release, nests deeper; the reader of places recurses. */
const DEEPEST = 64;

/** A whole JSON file, with the line of everything in it. */
export interface JsonDocument {
  value: unknown;
  /** The line, from 1, of the value at a path, or of the nearest thing around it that exists. */
  lineOf(path: readonly (string | number)[]): number;
}

/**
 * Reads a JSON file that may begin with one byte-order mark.
 * @param file what the file is to us, for the refusal
 * @throws FileRefused, with the line, for what is not UTF-8, not JSON, nested too deep, or has a key twice
 */
export function readDocument(file: string, bytes: Uint8Array): JsonDocument {
  const text = decodeUtf8(file, bytes);
  const deepLine = lineBelow(text, DEEPEST);
  if (deepLine !== null) refuse(file, deepLine, `nested deeper than ${DEEPEST}`);
  const reading = readJson(text);
  if (reading.kind === 'not_json') refuse(file, firstErrorLine(text), 'not JSON');
  if (reading.kind === 'duplicate_key') {
    refuse(file, reading.line, `key ${JSON.stringify(reading.key)} stands twice in one object`);
  }
  const root = parseTree(text);
  return { value: reading.value, lineOf: (path) => lineAt(text, nearestNode(root, path)?.offset ?? 0) };
}

/** @throws FileRefused for bytes that are not UTF-8 */
export function decodeUtf8(file: string, bytes: Uint8Array): string {
  try {
    // By default the decoder drops one byte-order mark.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return refuse(file, firstBadLine(bytes), 'not UTF-8');
  }
}

function refuse(file: string, line: number, rule: string): never {
  throw new FileRefused(file, [`line ${line}: ${rule}`], 1);
}

/** The line of the first bracket that opens a level below `depth`, or null. */
function lineBelow(text: string, depth: number): number | null {
  const scanner = createScanner(text, true);
  let level = 0;
  for (scanner.scan(); scanner.getTokenOffset() < text.length; scanner.scan()) {
    const first = text[scanner.getTokenOffset()];
    if (first === '{' || first === '[') level++;
    if (first === '}' || first === ']') level--;
    if (level > depth) return scanner.getTokenStartLine() + 1;
  }
  return null;
}

function firstErrorLine(text: string): number {
  let line: number | null = null;
  const onError = (_error: unknown, offset: number) => {
    line ??= lineAt(text, offset);
  };
  visit(text, { onError }, { disallowComments: true, allowTrailingComma: false });
  // jsonc-parser forgives a little that JSON does not; then only the whole can be named.
  return line ?? 1;
}

function nearestNode(root: Node | undefined, path: readonly (string | number)[]): Node | undefined {
  if (root === undefined) return undefined;
  for (let length = path.length; length > 0; length--) {
    const node = findNodeAtLocation(root, path.slice(0, length));
    if (node !== undefined) return node;
  }
  return root;
}

function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line++;
  return line;
}

function firstBadLine(bytes: Uint8Array): number {
  let line = 1;
  for (let start = 0; start < bytes.length; line++) {
    const newline = bytes.indexOf(0x0a, start);
    const end = newline === -1 ? bytes.length : newline;
    try {
      new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(start, end));
    } catch {
      return line;
    }
    start = end + 1;
  }
  return line;
}
