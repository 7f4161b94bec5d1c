import { defineConfig } from 'tsup'
import { base } from '../../scripts/tsup-base.ts'

export default defineConfig({
  ...base,
  entry: {
    bin: 'src/bin.ts',
  },
  format: ['esm'],
  // One code-split bundle: a command loads what it needs and nothing else.
  splitting: true,
  minify: true,
  // Small and on every path: bundled, from the sources of the other packages. What is large and rare stays outside:
  // ink and react (live views), the reference server (serve, conformance).
  noExternal: [
    /^@formwire\/(?:contract|webhook-verify|sdk(?!\/validate))/,
    'chalk',
    'commander',
    'string-width',
    /^csv-stringify/,
  ],
  esbuildOptions(options) {
    options.conditions = ['@formwire/source']
    // commander is CommonJS and asks for node's modules by require.
    options.banner = {
      js: "import { createRequire as formwireRequire } from 'node:module'; const require = formwireRequire(import.meta.url);",
    }
  },
  dts: false,
})
