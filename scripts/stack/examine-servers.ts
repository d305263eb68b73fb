import { serverVersion } from '../../db/cluster';
import { type Finding, orMissing } from './finding';
import { checkGivenDatabase, givenDatabase, placeOf } from './given-database';
import { checkGivenTemporal, givenTemporal } from './given-temporal';
import { goVersion } from './go-version';
import { stackHome } from './home';
import { localCluster } from './local-postgres';
import { cachedTemporalCli, findTemporalCli, TEMPORAL_CLI_VERSION } from './temporal-cli';

/** The Postgres a bench would use: the user's own must answer, the packaged one must run here. */
export function examinePostgres(): Promise<Finding> {
  const name = 'Postgres';
  return orMissing(name, async () => {
    const given = givenDatabase();
    if (given) {
      await checkGivenDatabase(given);
      const found = `${await serverVersion(given.worker)}, yours at ${placeOf(given.worker)}`;
      return { name, state: 'ok', found, remedy: null };
    }
    const { binaries, user, dataDirectory } = await localCluster(stackHome());
    const repaired =
      binaries.repairedLinks > 0 ? `; made ${binaries.repairedLinks} missing library links` : '';
    const found = `${binaries.version}, packaged; runs as ${user?.name ?? 'you'}; data in ${dataDirectory}${repaired}`;
    return { name, state: 'ok', found, remedy: null };
  });
}

/** The Temporal a bench would use: the user's own must answer, or a CLI must be here. */
export function examineTemporal(): Promise<Finding> {
  const name = 'Temporal';
  return orMissing(name, async () => {
    const given = givenTemporal();
    if (given) {
      await checkGivenTemporal(given);
      const found = `yours at ${given.address}, namespace ${given.namespace}`;
      return { name, state: 'ok', found, remedy: null };
    }
    const cli = await findTemporalCli();
    if (cli) {
      const found = `server ${cli.serverVersion}, ${cli.executable} (from ${cli.origin})`;
      return { name, state: 'ok', found, remedy: null };
    }
    const byGo = (await goVersion())?.isEnough ? ', or else builds it with Go' : '';
    return {
      name,
      state: 'missing',
      found: `no CLI in TEMPORAL_CLI_PATH, PATH or ${cachedTemporalCli()}`,
      remedy: `co-scientist up (downloads ${TEMPORAL_CLI_VERSION}${byGo}), or set TEMPORAL_CLI_PATH or TEMPORAL_ADDRESS`,
    };
  });
}
