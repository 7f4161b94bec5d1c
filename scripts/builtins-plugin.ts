import { isBuiltin } from 'node:module'
import type { Options } from 'tsup'

type Plugin = NonNullable<Options['esbuildPlugins']>[number]

interface BuiltinsOptions {
  /** Whether to replace `import` as well as `require()`. @default true */
  readonly imports?: boolean
  /** Modules whose `require()` returns an empty object. */
  readonly unused?: readonly string[]
}

/**
 * Replaces static imports and `require()` of built-in modules with `process.getBuiltinModule()`. An ES import of a built-in
 * module reads all its exports and thus loads what they load lazily (`node:crypto` Web Crypto, `node:fs` streams), and
 * `require()` in an ES module needs a loader of its own.
 */
export function builtinsWithoutImport({ imports = true, unused = [] }: BuiltinsOptions = {}): Plugin {
  const kinds = imports ? ['require-call', 'import-statement'] : ['require-call']
  return {
    name: 'builtins-without-import',
    setup(build) {
      build.onResolve({ filter: /^[a-z:_/0-9]+$/ }, ({ path, kind }) => {
        if (!isBuiltin(path) || !kinds.includes(kind)) return undefined
        const module = path.startsWith('node:') ? path : `node:${path}`
        const isUnused = kind === 'require-call' && unused.includes(module)
        return { path: module, namespace: isUnused ? 'unused-builtin' : 'builtin' }
      })
      build.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
        contents: `module.exports = process.getBuiltinModule('${path}')`,
      }))
      build.onLoad({ filter: /.*/, namespace: 'unused-builtin' }, () => ({ contents: '' }))
    },
  }
}
