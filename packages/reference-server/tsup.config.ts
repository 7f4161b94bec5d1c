import { defineConfig } from 'tsup'
import { base } from '../../scripts/tsup-base.ts'
import { bundleConsole } from './src/console/bundle.ts'
import { bundlePublicForm } from './src/public-form/bundle.ts'

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
  // One file to find and read where there were six: a start costs half as much. undici, zod and faker stay outside, since
  // they are loaded when they are needed.
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
