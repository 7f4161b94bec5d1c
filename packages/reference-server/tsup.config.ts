import { fileURLToPath } from 'node:url'
import { defineConfig } from 'tsup'
import { bundledLicenses } from '../../scripts/bundled-licenses-plugin.ts'
import { oneCore } from '../../scripts/one-core-plugin.ts'
import { copySkill } from '../../scripts/project/package-skills.ts'
import { requireBuiltins } from '../../scripts/require-builtins-plugin.ts'
import { base, withoutSources } from '../../scripts/tsup-base.ts'
import { bundleConsole } from '../console/bundle.ts'
import { bundleFonts } from './src/fonts/bundle.ts'
import { bundlePublicForm } from './src/public-form/bundle.ts'

/** The fonts of `src/fonts/` are parts of these. */
const FONT_PACKAGES = ['inter-ui', '@fontsource-variable/jetbrains-mono']
const licenses = bundledLicenses(
  FONT_PACKAGES.map((name) => fileURLToPath(new URL(`node_modules/${name}`, import.meta.url))),
)

export default defineConfig({
  ...base,
  onSuccess: copySkill('reference-server'),
  entry: {
    index: 'src/index.ts',
    'http/msw': 'src/http/transports/msw.ts',
    'testing/index': 'src/testing/index.ts',
    'conformance/index': 'src/conformance/index.ts',
    'pull/index': 'src/pull/index.ts',
    bin: 'src/bin.ts',
  },
  format: ['esm'],
  // All entry points share one copy of common classes.
  splitting: true,
  // Bundled like the devDependencies. Types come from the installed package. fast-check draws the schedules of rehearsals; the peer is the
  // one that runs the properties of a user.
  noExternal: ['@formwire/contract', 'fast-check'],
  // A start reads 260 kB: less text is compiled sooner. Names stay readable in stack traces.
  esbuildOptions(options) {
    withoutSources(options)
    options.conditions = ['@formwire/source']
    options.minifyWhitespace = true
    options.minifySyntax = true
    // Node prints the line of an uncaught error.
    options.lineLimit = 160
  },
  esbuildPlugins: [
    requireBuiltins(),
    licenses.writes,
    {
      // The published package contains the bundles instead of the modules that build them. Before `oneCore`, which loads these modules too.
      name: 'page-bundles',
      setup(build) {
        build.onLoad({ filter: /[\\/]console[\\/]bundle\.ts$/ }, async () => ({
          contents: `const bundle = ${JSON.stringify(await bundleConsole([licenses.collects]))}
export const bundleConsole = async () => bundle`,
        }))
        build.onLoad({ filter: /[\\/]public-form[\\/]bundle\.ts$/ }, async () => ({
          contents: `const bundle = ${JSON.stringify(await bundlePublicForm([licenses.collects]))}
export const bundlePublicForm = async () => bundle`,
        }))
        build.onLoad({ filter: /[\\/]fonts[\\/]bundle\.ts$/ }, async () => {
          const fonts = Object.entries(await bundleFonts()).map(([key, bytes]) => {
            const text = JSON.stringify(Buffer.from(bytes).toString('base64'))
            return `${key}: Buffer.from(${text}, 'base64')`
          })
          return { contents: `export const bundleFonts = async () => ({ ${fonts.join(', ')} })` }
        })
      },
    },
    oneCore({
      core: fileURLToPath(new URL('src/server.ts', import.meta.url)),
      folders: [fileURLToPath(new URL('src', import.meta.url))],
    }),
  ],
})
