import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'tsup'
import { base } from '../../scripts/tsup-base.ts'
import { bundleConsole } from './src/console/bundle.ts'
import { bundlePublicForm } from './src/public-form/bundle.ts'

/** The whole of a server, apart from what is loaded late. */
const CORE = fileURLToPath(new URL('src/server.ts', import.meta.url))
/** Where a build begins beside it: the other doors, and what is loaded when it is asked for. */
const BESIDE_THE_CORE =
  /[\\/]src[\\/](http[\\/]msw|testing[\\/]index|conformance[\\/]index|app[\\/]routes[\\/]index|public-form[\\/]routes|console[\\/]assets|delivery[\\/](attempt|vet-target)|seed[\\/](demo|parse)|receiver[\\/]run-receiver)\.ts$/

export default defineConfig({
  ...base,
  entry: {
    index: 'src/index.ts',
    'http/msw': 'src/http/msw.ts',
    'testing/index': 'src/testing/index.ts',
    'conformance/index': 'src/conformance/index.ts',
    bin: 'src/bin.ts',
  },
  format: ['esm'],
  // ESM files share chunks: the doors see one and the same class.
  splitting: true,
  // Found and read with the core. undici, zod and faker stay outside, since they are loaded when they are needed.
  noExternal: ['@formwire/contract', '@formwire/webhook-verify', 'polka', 'ipaddr.js'],
  // Less to read and to compile at every start. Names stay: stack traces and errors are for people.
  esbuildOptions(options) {
    options.minifyWhitespace = true
    options.minifySyntax = true
    // A dash in one text would make V8 keep and read the whole file in two bytes a character.
    options.charset = 'ascii'
  },
  // polka and ipaddr.js are CommonJS: inside an ES module they need a `require` of their own.
  banner: {
    js: "import { createRequire as createRequireForBundle } from 'node:module'; const require = createRequireForBundle(import.meta.url);",
  },
  esbuildPlugins: [
    {
      // esbuild makes a file of what each set of beginnings has in common: eight files for a start to find, of which each
      // takes longer to find than to read. With all of the core needed by all of them, there is one.
      name: 'one-core',
      setup(build) {
        build.onLoad({ filter: BESIDE_THE_CORE }, async ({ path }) => ({
          contents: `import ${JSON.stringify(CORE)};${await readFile(path, 'utf8')}`,
          loader: 'ts',
        }))
      },
    },
    {
      // The published package carries the bundles in place of the modules that make them from the sources.
      name: 'page-bundles',
      setup(build) {
        build.onLoad({ filter: /[\\/]console[\\/]bundle\.ts$/ }, async () => ({
          contents: `const bundle = ${JSON.stringify(await bundleConsole())}
export const bundleConsole = async () => bundle`,
        }))
        build.onLoad({ filter: /[\\/]public-form[\\/]bundle\.ts$/ }, async () => ({
          contents: `const bundle = ${JSON.stringify(await bundlePublicForm())}
export const bundlePublicForm = async () => bundle`,
        }))
      },
    },
  ],
})
