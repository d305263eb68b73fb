import { z } from 'zod';
import type { DocumentView } from './tool-answer';

/** Arguments that all searches share. */
export function queryArgument(description: string) {
  return z
    .string()
    .max(1000)
    .refine((text) => /[\p{L}\p{N}]/u.test(text), 'has to hold a word')
    .describe(description);
}

export const maxResultsArgument = z
  .int()
  .min(1)
  .max(10)
  .default(5)
  .describe('How many documents to return, 1 to 10.');

export function yearArgument(description: string) {
  return z.int().min(1700).max(2100).optional().describe(description);
}

/** The same question in one spelling: without needless white space, control characters and lone surrogates. */
export function oneLine(query: string): string {
  return query
    .replace(/\p{Surrogate}/gu, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

/** Enough of each document for a whole abstract. */
export const SEARCH_VIEW: DocumentView = { offset: 0, maxChars: 3000 };
