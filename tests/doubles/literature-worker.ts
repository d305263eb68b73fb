import { createLiteratureGateway } from '../../activities/literature';
import { literatureSettings } from '../../activities/literature/literature-settings';
import { openDatabase } from '../../db/database';
import { createPostgresSlots } from '../../db/host-slots';
import { createPostgresCache } from '../../db/literature-cache';

/**
 * One worker process with the literature tools: runs one tool on each query it is given, all at once, and prints the
 * outcomes as JSON. Started by tests: `node --require tsx/cjs literature-worker.ts <tool> <query> …`.
 */
async function main([tool = '', ...queries]: string[]): Promise<void> {
  const db = openDatabase(process.env.DATABASE_URL ?? '', { maxConnections: 4 });
  const gateway = createLiteratureGateway({
    settings: literatureSettings(process.env),
    slots: createPostgresSlots(db),
    cache: createPostgresCache(db),
  });
  const source = gateway.find('live', tool);
  if (!source) throw new Error(`${tool} is not offered`);
  const context = gateway.open(new AbortController().signal, []);
  const answers = await Promise.all(queries.map((query) => source.run({ query, maxResults: 1 }, context)));
  console.log(JSON.stringify(answers.map(({ outcome, failureKind }) => failureKind ?? outcome)));
  await gateway.close();
  await db.destroy();
}

void main(process.argv.slice(2));
