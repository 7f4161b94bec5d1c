import { readFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { defineConfig, type Options } from 'tsup'
import { base } from '../../scripts/tsup-base.ts'
import packageJson from './package.json' with { type: 'json' }

type Plugin = NonNullable<Options['esbuildPlugins']>[number]

/**
 * Replaces the `require()` of built-in modules in bundled CommonJS packages (commander) with
 * `process.getBuiltinModule()`, which needs no loader. Omits child_process, which commander uses only for commands in
 * separate executables and which loads slower than commander itself.
 */
const builtinsWithoutRequire: Plugin = {
  name: 'builtins-without-require',
  setup(build) {
    build.onResolve({ filter: /^[a-z:_/]+$/ }, ({ path, kind }) =>
      kind === 'require-call' && isBuiltin(path) ? { path, namespace: 'builtin' } : undefined,
    )
    build.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
      contents:
        path === 'node:child_process'
          ? 'module.exports = {}'
          : `module.exports = process.getBuiltinModule('${path}')`,
    }))
  },
}

/**
 * Keeps everything that is loaded at startup in one chunk, since each additional file delays the start. Without this,
 * splitting moves modules shared with lazily loaded parts to chunks of their own.
 */
const oneCore: Plugin = {
  name: 'one-core',
  setup(build) {
    build.onLoad({ filter: /\/cli\/src\/.*\.tsx?$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8')
      const loader = path.endsWith('x') ? 'tsx' : 'ts'
      const isLazy = LAZY_PARTS.some((part) => path.includes(`/cli/src/${part}`))
      const core = JSON.stringify(join(import.meta.dirname, 'src/process.ts'))
      const contents = source.replace(
        IMPORTED_VERSION,
        `const version = ${JSON.stringify(packageJson.version)}`,
      )
      return { contents: isLazy ? `import ${core}\n${contents}` : contents, loader }
    })
  },
}

/** Replaced by a constant, since the JSON module would be another file. */
const IMPORTED_VERSION = /import \{ version \} from '.\/version.ts'/

/** Parts that commands load with `import()`. */
const LAZY_PARTS = [
  'conformance/',
  'control/client',
  'doctor/',
  'export/csv',
  'export/run',
  'http/api-client',
  'listen/',
  'open-url',
  'submit/',
  'sync/',
  'types/run-',
  'ui/delivery',
  'ui/mount',
  'update/',
]

export default defineConfig({
  ...base,
  entry: {
    bin: 'src/bin.ts',
  },
  format: ['esm'],
  // One code-split bundle: a command loads only what it needs.
  splitting: true,
  minify: true,
  // Bundles the devDependencies, which include the other packages, from their sources. The `dependencies` are found at run
  // time.
  // The platform's binary is loaded from the installed package.
  external: ['libsql'],
  // Maps would be four times the size of the minified code.
  sourcemap: false,
  esbuildPlugins: [builtinsWithoutRequire, oneCore],
  esbuildOptions(options) {
    options.conditions = ['@formwire/source']
  },
  dts: false,
})
