import { relative } from 'node:path';
import { type BundleOptions, bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';

type WebpackConfig = Parameters<NonNullable<BundleOptions['webpackConfigHook']>>[0];
type WebpackPlugin = Extract<NonNullable<WebpackConfig['plugins']>[number], { apply: unknown }>;

export interface WorkflowBundle {
  /** 0 when there is none. */
  sizeBytes: number;
  /** Modules that workflow code may not reach: Node's own, which have clock, disk and network, and the SDK's others. */
  forbidden: { module: string; chain: string[] }[];
  /** Why there is no bundle, in webpack's words, where it is not for a forbidden module. */
  failure: string | null;
}

/**
 * Bundles workflows as a worker does.
 * @param workflowsPath absolute path of the bundle's entry
 * @param root what the files of a chain are named relative to
 * @returns each forbidden module with the chain of files that leads to it, the entry first
 */
export async function bundleWorkflows(workflowsPath: string, root: string): Promise<WorkflowBundle> {
  const trail = noteImports();
  const said: string[] = [];
  const logger = new DefaultLogger('ERROR', ({ message }) => said.push(message));
  try {
    const { code } = await bundleWorkflowCode({ workflowsPath, logger, webpackConfigHook: trail.hook });
    return { sizeBytes: code.length, forbidden: [], failure: null };
  } catch (error) {
    const { message } = error as Error;
    const modules = new Set([
      ...namedBySdk(message),
      ...trail.requests().filter((name) => name.startsWith('node:')),
    ]);
    const forbidden = [...modules].sort().map((module) => ({
      module,
      chain: trail.chainTo(module).map((file) => relative(root, file)),
    }));
    return { sizeBytes: 0, forbidden, failure: forbidden.length > 0 ? null : (said[0] ?? message) };
  }
}

/**
 * The SDK knows which modules are forbidden, and names them in its error only, as `  - 'fs'`. Those asked for as
 * `node:fs` make webpack give up before the SDK comes to that.
 */
function namedBySdk(message: string): string[] {
  return [...message.matchAll(/^ {2}- '(.+)'$/gm)].map((match) => match[1] ?? '');
}

/** Looks over webpack's shoulder: who asked for which module, and which file was first imported by which. */
function noteImports(): {
  hook(config: WebpackConfig): WebpackConfig;
  requests(): string[];
  chainTo(module: string): string[];
} {
  const askers = new Map<string, string>();
  const importers = new Map<string, string>();
  const noteAsker = async (data: { request?: string; contextInfo?: { issuer: string } }) => {
    const { request, contextInfo } = data;
    if (request && contextInfo && !askers.has(request)) askers.set(request, contextInfo.issuer);
    return undefined; // no opinion: the SDK's own function decides
  };
  const noteImporters: WebpackPlugin['apply'] = (compiler) => {
    compiler.hooks.compilation.tap('noteImports', (compilation) => {
      compilation.hooks.finishModules.tap('noteImports', (modules) => {
        for (const module of modules) {
          const file = module.nameForCondition();
          const importer = compilation.moduleGraph.getIssuer(module)?.nameForCondition();
          if (file && importer) importers.set(file, importer);
        }
      });
    });
  };
  return {
    hook: (config) => ({
      ...config,
      externals: [noteAsker, ...[config.externals ?? []].flat()],
      plugins: [...(config.plugins ?? []), { apply: noteImporters }],
    }),
    requests: () => [...askers.keys()],
    chainTo: (module) => {
      const chain: string[] = [];
      for (let file = askers.get(module); file; file = importers.get(file)) chain.unshift(file);
      return chain.slice(1); // the first is the SDK's generated entry
    },
  };
}
