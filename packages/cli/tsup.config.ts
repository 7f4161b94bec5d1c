import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defineConfig, type Options } from 'tsup'
import { base } from '../../scripts/tsup-base.ts'
import packageJson from './package.json' with { type: 'json' }

type Plugin = NonNullable<Options['esbuildPlugins']>[number]

/**
 * commander is CommonJS: its requires become the modules that node has at hand, without a loader. child_process it wants
 * for commands that are programs of their own; there are none, and loading it would cost more than commander itself.
 */
const commanderWithoutRequire: Plugin = {
  name: 'commander-without-require',
  setup(build) {
    build.onResolve({ filter: /^node:/ }, ({ path, kind, importer }) =>
      kind === 'require-call' && importer.includes('commander') ? { path, namespace: 'at-hand' } : undefined,
    )
    build.onLoad({ filter: /.*/, namespace: 'at-hand' }, ({ path }) => ({
      contents:
        path === 'node:child_process'
          ? 'module.exports = {}'
          : `module.exports = process.getBuiltinModule('${path}')`,
    }))
  },
}

/**
 * Every part that is loaded later also reaches what has been loaded before it. So all of that is one chunk: each file more
 * would cost a start about as much as a command does.
 */
const oneCore: Plugin = {
  name: 'one-core',
  setup(build) {
    build.onLoad({ filter: /\/cli\/src\/.*\.tsx?$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8')
      const loader = path.endsWith('x') ? 'tsx' : 'ts'
      const loadedLater = LOADED_LATER.some((part) => path.includes(`/cli/src/${part}`))
      const core = JSON.stringify(join(import.meta.dirname, 'src/process.ts'))
      const contents = source.replace(
        IMPORTED_VERSION,
        `const version = ${JSON.stringify(packageJson.version)}`,
      )
      return { contents: loadedLater ? `import ${core}\n${contents}` : contents, loader }
    })
  },
}

/** The version is a constant of the build: as a module it would be a file of its own. */
const IMPORTED_VERSION = /import \{ version \} from '.\/version.ts'/

/** What commands load with import(). */
const LOADED_LATER = [
  'admin/client',
  'export/csv',
  'export/spool',
  'http/api-client',
  'listen/',
  'ui/delivery',
  'ui/listen',
]

export default defineConfig({
  ...base,
  entry: {
    bin: 'src/bin.ts',
  },
  format: ['esm'],
  // One code-split bundle: a command loads what it needs and nothing else.
  splitting: true,
  minify: true,
  // Small and on every path: bundled, the other packages from their sources. What is large and rare stays outside:
  // ink and react (live views), the reference server (serve, conformance), zod (behind the SDK's /validate).
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
