import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defineConfig, type Options } from 'tsup'
import { base } from '../../scripts/tsup-base.ts'

type Plugin = NonNullable<Options['esbuildPlugins']>[number]

/**
 * commander asks for child_process to run commands that are programs of their own. There are none here, and loading the
 * module would cost every start more than commander itself.
 */
const withoutChildProcess: Plugin = {
  name: 'commander-without-child-process',
  setup(build) {
    build.onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
      importer.includes('commander') ? { path: 'child_process', namespace: 'nothing' } : undefined,
    )
    build.onLoad({ filter: /.*/, namespace: 'nothing' }, () => ({ contents: 'module.exports = {}' }))
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
      return { contents: loadedLater ? `import ${core}\n${source}` : source, loader }
    })
  },
}

/** What commands load with import(). */
const LOADED_LATER = ['admin/client', 'export/csv', 'export/spool', 'http/api-client', 'listen/', 'ui/delivery', 'ui/listen']

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
  esbuildPlugins: [withoutChildProcess, oneCore],
  esbuildOptions(options) {
    options.conditions = ['@formwire/source']
    // commander is CommonJS and asks for node's own modules by require.
    options.banner = {
      js: "import { createRequire as formwireRequire } from 'node:module'; const require = formwireRequire(import.meta.url);",
    }
  },
  dts: false,
})
