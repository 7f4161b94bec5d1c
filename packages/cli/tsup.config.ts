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
  esbuildPlugins: [withoutChildProcess],
  esbuildOptions(options) {
    options.conditions = ['@formwire/source']
    // commander is CommonJS and asks for node's own modules by require.
    options.banner = {
      js: "import { createRequire as formwireRequire } from 'node:module'; const require = formwireRequire(import.meta.url);",
    }
  },
  dts: false,
})
