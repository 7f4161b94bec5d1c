import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build, type OutputFile, type Plugin } from 'esbuild'

/** The only top-level await, which CommonJS does not have: in `load-msw.ts`. */
const AWAITED_IMPORT = /await import\("msw"\)\.catch\(/g
const REQUIRE_OR =
  'function requireOr(load, fail) { try { return load() } catch (cause) { return fail(cause) } }\n'

/**
 * Writes each built ES module as CommonJS beside it, with its types, for test suites that compile to CommonJS. Converted from the
 * ES modules because bundling again would give each entry point its own copy of the server.
 */
export async function writeCommonJs(dist: string): Promise<void> {
  const files = await readdir(dist, { recursive: true })
  if (!files.some((file) => file.endsWith('.d.ts'))) throw new Error(`${dist} has no types; run tsup before.`)
  for (const file of files) {
    const path = join(dist, file)
    if (/\bbin\./.test(file)) continue
    if (file.endsWith('.d.ts')) {
      await writeFile(path.replace(/ts$/, 'cts'), withCommonJsNames(await readFile(path, 'utf8')))
    } else if (file.endsWith('.js')) {
      await writeFile(path.replace(/js$/, 'cjs'), await toCommonJs(await readFile(path, 'utf8'), dist))
    }
  }
}

async function toCommonJs(code: string, resolveDir: string): Promise<string> {
  const contents = `${code.search(AWAITED_IMPORT) < 0 ? '' : REQUIRE_OR}${code}`
    .replace(AWAITED_IMPORT, 'requireOr(() => require("msw"),')
    .replace(/^\/\/# sourceMappingURL=.*$/m, '')
  const { outputFiles } = await build({
    stdin: { contents, resolveDir },
    bundle: true,
    write: false,
    plugins: [commonJsNames],
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    charset: 'ascii',
    minifyWhitespace: true,
    treeShaking: false,
    lineLimit: 160,
    // A test runner that compiles to CommonJS supports `require()` only.
    supported: { 'dynamic-import': false },
  })
  return (outputFiles[0] as OutputFile).text
}

/** Renames what a file imports, and nothing in its texts: some are scripts for the browser, with imports of their own. */
const commonJsNames: Plugin = {
  name: 'commonjs-names',
  setup: ({ onResolve }) =>
    onResolve({ filter: /.*/ }, ({ path }) => ({
      path: path.replace(/^(\..*)\.js$/, '$1.cjs'),
      external: true,
    })),
}

/** Renames imported files of types. */
function withCommonJsNames(code: string): string {
  return code.replace(/((["'])\.{1,2}\/[\w./-]+)\.js\2/g, '$1.cjs$2')
}
