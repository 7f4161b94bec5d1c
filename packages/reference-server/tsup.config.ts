import { fileURLToPath } from 'node:url'
import { defineConfig } from 'tsup'
import { base, withoutSources } from '../../scripts/tsup-base.ts'
import { bundleConsole } from '../console/bundle.ts'
import { REQUIRE_IN_ESM } from './commonjs.ts'
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
  // Bundled like the devDependencies. Types come from the installed package.
  noExternal: ['@formwire/contract'],
  esbuildOptions: withoutSources,
  // polka and ipaddr.js are CommonJS and need `require` in an ES module.
  banner: { js: REQUIRE_IN_ESM },
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
