/** A column of a table that both forms of the report have, page and Markdown: its name, and what it says of a row. */
export interface ReportColumn<Row> {
  name: string;
  /** Figures stand at the right. Given words are a user's or a model's: they may hold markup of any kind. */
  holds: 'figures' | 'words' | 'given words';
  text(row: Row): string;
}

export function figures<Row>(name: string, text: (row: Row) => string): ReportColumn<Row> {
  return { name, holds: 'figures', text };
}

/** Words of ours. */
export function words<Row>(name: string, text: (row: Row) => string): ReportColumn<Row> {
  return { name, holds: 'words', text };
}

export function givenWords<Row>(name: string, text: (row: Row) => string): ReportColumn<Row> {
  return { name, holds: 'given words', text };
}
