import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type BuildOptions, build, type Plugin } from 'esbuild'
import { temporaryDirectory } from './temporary.ts'

/** Packages from npm are imported from where they are installed: the bundle is in another folder. @param inlined those that are part of it */
const installedPackages = (inlined: readonly string[]): Plugin => ({
  name: 'installed-packages',
  setup({ onResolve, resolve }) {
    const found = {}
    onResolve({ filter: /^[^./]/ }, async ({ path, pluginData, importer, resolveDir, kind }) => {
      if (pluginData === found) return undefined
      const result = await resolve(path, { importer, resolveDir, kind, pluginData: found })
      const isOfPackage = importer.includes('/node_modules/')
      // An optional dependency that is not installed.
      if (result.errors.length > 0 && isOfPackage) return { path, external: true }
      const isInlined = inlined.includes(path) || isOfPackage
      if (result.external || result.errors.length > 0 || isInlined || !result.path.includes('/node_modules/'))
        return result
      return { path: pathToFileURL(result.path).href, external: true }
    })
  },
})

/** What a package in CommonJS needs in a bundle of ES modules. */
const REQUIRE = `import { createRequire } from 'node:module'
const require = createRequire(import.meta.url)`

const bundles = new Map<string, Promise<string>>()

/**
 * Bundles a program of the tests with the sources of this repository, once a worker, and returns the path of the bundle. It starts
 * in a fraction of the time that it takes with tsx.
 *
 * @param inlined Packages from npm that become part of the bundle, for a program that starts often: one file loads in half the time of
 *   hundreds. Of one program always the same.
 */
export function bundled(program: URL, inlined: readonly string[] = []): Promise<string> {
  const bundle = bundles.get(program.href) ?? writeBundle({ entryPoints: [fileURLToPath(program)] }, inlined)
  bundles.set(program.href, bundle)
  return bundle
}

/** Bundles a program in TypeScript that a page shows. @param importer URL of the file from whose place it imports packages */
export function bundledCode(contents: string, importer: string): Promise<string> {
  return writeBundle(
    { stdin: { contents, loader: 'ts', resolveDir: fileURLToPath(new URL('.', importer)) } },
    [],
  )
}

async function writeBundle(
  program: Pick<BuildOptions, 'entryPoints' | 'stdin'>,
  inlined: readonly string[],
): Promise<string> {
  const outfile = join(temporaryDirectory(), 'program.mjs')
  await build({
    ...program,
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    conditions: ['@formwire/source'],
    plugins: [installedPackages(inlined)],
    ...(inlined.length > 0 && { banner: { js: REQUIRE }, minify: true }),
    logLevel: 'error',
  })
  return outfile
}
