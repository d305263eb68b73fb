/** Publication types of what is about another article, and is none itself: MEDLINE's, which Europe PMC has taken over. */
export const NOTICE_TYPES: readonly string[] = [
  'retraction of publication',
  'retraction notice',
  'published erratum',
  'expression of concern',
];
