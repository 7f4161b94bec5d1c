import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Options } from 'tsup'

type Plugin = NonNullable<Options['esbuildPlugins']>[number]

/**
 * Keeps a module and everything it imports in one chunk. esbuild makes a chunk per set of entry points that share code,
 * and Node takes longer to find a file than to read it: without this, a start of the server takes 10 % longer. Every entry
 * point and every lazily loaded module imports the core, so that all of them share all of it.
 */
export function oneCore(core: string): Plugin {
  const roots = new Set<string>()
  return {
    name: 'one-core',
    setup(build) {
      build.onResolve({ filter: /\.ts$/ }, ({ kind, path, resolveDir }) => {
        if (kind === 'entry-point' || kind === 'dynamic-import') roots.add(resolve(resolveDir, path))
        return undefined
      })
      build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        if (!roots.has(path)) return undefined
        return { contents: `${await readFile(path, 'utf8')}\nimport ${JSON.stringify(core)}\n`, loader: 'ts' }
      })
    },
  }
}
