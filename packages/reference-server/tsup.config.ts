import { fileURLToPath } from 'node:url'
import { defineConfig } from 'tsup'
import { base } from '../../scripts/tsup-base.ts'
import { bundleConsole } from '../console/bundle.ts'
import { oneCore } from './one-core-plugin.ts'
import { bundlePublicForm } from './src/public-form/bundle.ts'

export default defineConfig({
  ...base,
  entry: {
    index: 'src/index.ts',
    'http/msw': 'src/http/transports/msw.ts',
    'testing/index': 'src/testing/index.ts',
    'conformance/index': 'src/conformance/index.ts',
    bin: 'src/bin.ts',
  },
  format: ['esm'],
  // All entry points share one copy of common classes.
  splitting: true,
  // Bundled with the core. undici, zod and faker are loaded when needed.
  noExternal: ['@formwire/contract', '@formwire/webhook-verify', 'polka', 'ipaddr.js'],
  // polka and ipaddr.js are CommonJS and need `require` in an ES module.
  banner: {
    js: "import { createRequire as createRequireForBundle } from 'node:module'; const require = createRequireForBundle(import.meta.url);",
  },
  esbuildPlugins: [
    oneCore(fileURLToPath(new URL('src/server.ts', import.meta.url))),
    {
      // The published package contains the bundles instead of the modules that build them.
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
