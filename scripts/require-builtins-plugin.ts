import { isBuiltin } from 'node:module'
import type { Options } from 'tsup'

type Plugin = NonNullable<Options['esbuildPlugins']>[number]

/**
 * Lets bundled CommonJS modules `require()` built-in modules: an ES module has no `require`, and esbuild's substitute throws.
 * @param unused Modules of which the bundled code uses nothing. Not loaded.
 */
export function requireBuiltins(unused: readonly string[] = []): Plugin {
  return {
    name: 'require-builtins',
    setup(build) {
      build.onResolve({ filter: /^[a-z:_/0-9]+$/ }, ({ path, kind }) =>
        kind === 'require-call' && isBuiltin(path) ? { path, namespace: 'builtin' } : undefined,
      )
      build.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
        contents: unused.includes(path) ? '' : `module.exports = process.getBuiltinModule('${path}')`,
      }))
    },
  }
}
