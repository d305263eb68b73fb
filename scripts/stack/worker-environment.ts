import { createHash, createHmac } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DEFAULT_TASK_QUEUE } from '../../core/task-queues';
import type { Stack } from './ensure-stack';
import { PROJECT } from './home';

/** What the worker runs: a change here means that a running one is out of date. */
const CODE_ROOMS = ['core', 'workflows', 'activities', 'workers', 'db', 'presets'];
/** Variables that change what a worker does, as CONTRACTS.md lists them, and those of proxies and certificates. */
const MATTERING =
  /^(ANTHROPIC|OPENAI|GOOGLE|OPENROUTER|OPENAI_COMPATIBLE|NCBI|LITERATURE|TAVILY|BRAVE|SEARXNG|PUBMED|ARXIV|EUROPE_PMC|TEMPORAL|DATABASE)_|^(CO_SCIENTIST_(TASK_QUEUE|QUEUES|GRADER|RATES|LEASE_SECONDS|MAX_ATTEMPTS|WORKFLOW_BUNDLE|METRICS_PORT|LOG|BUILD_ID)|ARTIFACTS_DIR|(HTTPS?|NO|ALL)_PROXY|NODE_EXTRA_CA_CERTS)$/i;

/** The worker's whole environment: the user's, with the stack's addresses, and without what it must not have. */
export function workerEnvironment(stack: Stack, env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const own: NodeJS.ProcessEnv = {
    ...env,
    DATABASE_URL: stack.databaseUrls.worker,
    DATABASE_GRADER_URL: stack.databaseUrls.grader,
    CO_SCIENTIST_TASK_QUEUE: env.CO_SCIENTIST_TASK_QUEUE || DEFAULT_TASK_QUEUE,
    ARTIFACTS_DIR: env.ARTIFACTS_DIR || join(stack.home, 'artifacts'),
  };
  delete own.DATABASE_OWNER_URL; // migrations are not its business
  if (stack.temporal.isOurs) {
    // A key or certificate meant for another server would make it speak TLS to ours.
    for (const name of Object.keys(own)) if (name.startsWith('TEMPORAL_')) delete own[name];
    own.TEMPORAL_ADDRESS = stack.temporal.address;
    own.TEMPORAL_NAMESPACE = stack.temporal.namespace;
  }
  return own;
}

/** A keyed hash of each variable that matters to a worker. Without the key it tells nothing of the value. */
export function fingerprint(environment: NodeJS.ProcessEnv, key: string): Record<string, string> {
  const prints: Record<string, string> = {};
  for (const name of Object.keys(environment).sort()) {
    const value = environment[name];
    if (!value || !MATTERING.test(name)) continue;
    prints[name] = createHmac('sha256', key).update(`${name}\0${value}`).digest('hex');
  }
  return prints;
}

/** How far a worker's environment is from the one wanted now, by name. */
export interface EnvironmentChange {
  /** Set, altered or gone: the worker must be started anew. */
  changed: string[];
  /** Keys it has and this shell has not: no reason to take them from the benches that run. */
  onlyThere: string[];
}

export function environmentChange(
  before: Record<string, string>,
  now: Record<string, string>,
): EnvironmentChange {
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])].sort();
  const differing = names.filter((name) => before[name] !== now[name]);
  const isOnlyThere = (name: string) => name.endsWith('_API_KEY') && !(name in now);
  return {
    changed: differing.filter((name) => !isOnlyThere(name)),
    onlyThere: differing.filter(isOnlyThere),
  };
}

/** SHA-256 over the code a worker runs, by path and content, and over the packages it is locked to. */
export async function codeVersion(rooms: readonly string[] = CODE_ROOMS): Promise<string> {
  const files = await Promise.all(
    rooms.map(async (room) => {
      const entries = await readdir(join(PROJECT, room), { recursive: true, withFileTypes: true }).catch(
        () => [],
      );
      return entries
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
    }),
  );
  const hash = createHash('sha256');
  for (const file of [...files.flat().sort(), join(PROJECT, 'package-lock.json')]) {
    hash.update(`${file.slice(PROJECT.length)}\0`).update(await readFile(file).catch(() => ''));
  }
  return hash.digest('hex');
}
