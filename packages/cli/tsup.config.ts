import { readdirSync } from 'node:fs'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { defineConfig, type Options } from 'tsup'
import { bundledLicenses } from '../../scripts/bundled-licenses-plugin.ts'
import { docsBundle } from '../../scripts/docs/bundle.ts'
import { oneCore } from '../../scripts/one-core-plugin.ts'
import { requireBuiltins } from '../../scripts/require-builtins-plugin.ts'
import { base } from '../../scripts/tsup-base.ts'
import packageJson from './package.json' with { type: 'json' }

type Plugin = NonNullable<Options['esbuildPlugins']>[number]

const IMPORTED_VERSION = /import \{ version \} from '.*version\.ts'/

/** Replaces the import of the version by a constant, since a module shared by the entry point and the core is another file. */
const versionAsConstant: Plugin = {
  name: 'version-as-constant',
  setup(build) {
    build.onLoad(
      { filter: /\/cli\/src\/(bin|program|commands\/doctor|help\/command-tree)\.ts$/ },
      async ({ path }) => ({
        contents: (await readFile(path, 'utf8')).replace(
          IMPORTED_VERSION,
          `const version = ${JSON.stringify(packageJson.version)}`,
        ),
        loader: 'ts',
      }),
    )
  },
}

/** Leaves lazily loaded modules out of a bundle. */
const onlyStatic: Plugin = {
  name: 'only-static',
  setup(build) {
    build.onResolve({ filter: /./ }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path, external: true } : undefined,
    )
  },
}

type Esbuild = Parameters<Plugin['setup']>[0]['esbuild']

/** Returns the code of a module with what it imports, apart from what is loaded lazily. */
async function bundled(esbuild: Esbuild, entry: string): Promise<string> {
  const { outputFiles } = await esbuild.build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    conditions: ['@formwire/source'],
    plugins: [onlyStatic],
  })
  return Buffer.from(outputFiles[0]?.contents ?? []).toString()
}

/** Imports a module of the sources. */
async function imported(esbuild: Esbuild, entry: string): Promise<unknown> {
  const code = Buffer.from(await bundled(esbuild, entry)).toString('base64')
  return await import(`data:text/javascript;base64,${code}`)
}

/** Replaces the help of the program by its texts, so that no command is loaded to print it. */
const helpAsConstant: Plugin = {
  name: 'help-as-constant',
  setup(build) {
    build.onLoad({ filter: /\/cli\/src\/root-help\.ts$/ }, async ({ path }) => {
      const { HELP } = (await imported(build.esbuild, path)) as typeof import('./src/root-help.ts')
      // A copy: a module that the core imports too would be a file of its own.
      const colourLevel = await bundled(build.esbuild, source('cli/src/output/colour-level.ts'))
      const constants = `export const HELP = ${JSON.stringify(HELP)}`
      return { contents: [colourLevel, constants].join('\n'), loader: 'ts' }
    })
  },
}

/** Replaces the module that reads the documentation of the repository by one that reads a file of the package: 150 kB instead of 600. */
const docsAsFile: Plugin = {
  name: 'docs-as-file',
  setup(build) {
    build.onLoad({ filter: /\/cli\/src\/mcp\/docs\/bundle\.ts$/ }, () => ({
      contents: `import { readFile } from 'node:fs/promises'
import { brotliDecompressSync } from 'node:zlib'
export const loadBundle = async () =>
  JSON.parse(brotliDecompressSync(await readFile(new URL('docs.json.br', import.meta.url))).toString())`,
      loader: 'ts',
    }))
    build.onEnd(async () => {
      const folder = build.initialOptions.outdir as string
      await mkdir(folder, { recursive: true })
      const reference = await imported(
        build.esbuild,
        join(import.meta.dirname, 'scripts/command-reference.ts'),
      )
      const { commandPages } = reference as typeof import('./scripts/command-reference.ts')
      const json = JSON.stringify(docsBundle(commandPages()))
      await writeFile(join(folder, 'docs.json.br'), brotliCompressSync(json))
      // As files too, for agents that read them from a folder.
      await cp(source('../skills'), join(folder, 'skills'), { recursive: true })
    })
  },
}

/** ink loads it if DEV is set; it is a peer that nobody has installed. */
const withoutDevtools: Plugin = {
  name: 'without-devtools',
  setup(build) {
    build.onResolve({ filter: /^react-devtools-core$/ }, ({ path }) => ({ path, namespace: 'devtools' }))
    build.onLoad({ filter: /.*/, namespace: 'devtools' }, () => ({
      contents: 'export default { initialize() {}, connectToDevTools() {} }',
    }))
  },
}

const source = (path: string): string => join(import.meta.dirname, '..', path)

/** The reference server, which is loaded lazily, imports some of them too. */
const internalModules = readdirSync(source('internal/src')).map((file) => source(`internal/src/${file}`))

export default defineConfig({
  ...base,
  entry: {
    bin: 'src/bin.ts',
  },
  format: ['esm'],
  // One code-split bundle: a command loads only what it needs.
  splitting: true,
  minify: true,
  // Bundles the devDependencies, which include the other packages, from their sources. The `dependencies` are found at run
  // time.
  // The platform's binary is loaded from the installed package.
  external: ['libsql'],
  // Maps would be four times the size of the minified code.
  sourcemap: false,
  esbuildPlugins: [
    bundledLicenses().writes,
    // commander needs it for commands in separate executables only.
    requireBuiltins(['node:child_process']),
    versionAsConstant,
    helpAsConstant,
    withoutDevtools,
    // Before `oneCore`, which loads lazily loaded modules too.
    docsAsFile,
    oneCore({
      core: source('cli/src/process.ts'),
      folders: ['cli', 'sdk', 'sync', 'webhook-verify'].map((name) => source(`${name}/src`)),
      shared: [...internalModules, source('sdk/src/checkpoint/file.ts')],
      without: [source('cli/src/bin.ts'), source('cli/src/root-help.ts')],
      groups: [
        {
          entry: source('cli/src/http/api-client.ts'),
          folder: source('sdk/src'),
          packageName: '@formwire/sdk',
        },
      ],
    }),
  ],
  // React's development build is several times slower.
  define: { 'process.env.NODE_ENV': '"production"' },
  esbuildOptions(options) {
    options.conditions = ['@formwire/source']
  },
  dts: false,
})
