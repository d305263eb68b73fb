import type { Database } from '../../db/database';

/** The same database, with a list of what is asked through it, by kind. */
export function countStatements(db: Database): { db: Database; statements: string[] } {
  const statements: string[] = [];
  return {
    statements,
    db: db.withPlugin({
      transformQuery: ({ node }) => {
        statements.push(node.kind);
        return node;
      },
      transformResult: async ({ result }) => result,
    }),
  };
}
