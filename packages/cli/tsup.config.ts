import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defineConfig, type Options } from 'tsup'
import { base } from '../../scripts/tsup-base.ts'
import packageJson from './package.json' with { type: 'json' }

type Plugin = NonNullable<Options['esbuildPlugins']>[number]

/**
 * commander is CommonJS: replaces its `require()` of built-in modules with `process.getBuiltinModule()`, which needs no
 * loader. Omits child_process, which it uses only for commands in separate executables and which loads slower than
 * commander itself.
 */
const commanderWithoutRequire: Plugin = {
  name: 'commander-without-require',
  setup(build) {
    build.onResolve({ filter: /^node:/ }, ({ path, kind, importer }) =>
      kind === 'require-call' && importer.includes('commander') ? { path, namespace: 'builtin' } : undefined,
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
  'ui/delivery',
  'ui/listen',
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
  // Bundles small modules that most commands need, and the other packages from their sources. Large modules that few
  // commands need stay external: ink and react (live views), the reference server (serve, conformance), zod (SDK /validate).
  noExternal: [
    /^@formwire\/(?:contract|webhook-verify|sdk(?!\/validate))/,
    'chalk',
    'commander',
    'string-width',
    /^csv-stringify/,
  ],
  esbuildPlugins: [commanderWithoutRequire, oneCore],
  esbuildOptions(options) {
    options.conditions = ['@formwire/source']
  },
  dts: false,
})
