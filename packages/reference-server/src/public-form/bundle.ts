import { readFile } from 'node:fs/promises'
import { build, type Plugin } from 'esbuild'

const LIGHT_DARK = /light-dark\(((?:[^(),]|\([^)]*\))+), ((?:[^(),]|\([^)]*\))+)\)/g

/** The colours of the console, also for browsers that do not know `light-dark()`. */
const tokensOf = (css: string): string =>
  `${css.replace(LIGHT_DARK, '$1')}@media (prefers-color-scheme: dark) {${css.replace(LIGHT_DARK, '$2')}}`

/** Rules for numbered columns, since a style sheet cannot read a number from an attribute. */
const columnRules = (attribute: string, most: number): string =>
  Array.from({ length: most }, (_, at) => `.steps[${attribute}="${at + 1}"]{--columns:${at + 1}}`).join('')

/**
 * Bundles `client/` to a minified script and style sheet. A server that runs from source calls this on the first request. The package's build calls it once and
 * replaces this module with the result (`tsup.config.ts`), so that the published package needs no bundler.
 */
export async function bundlePublicForm(
  plugins: Plugin[] = [],
): Promise<{ readonly js: string; readonly css: string }> {
  const { fileURLToPath } = await import('node:url')
  const tokens = tokensOf(
    await readFile(new URL('../../../console/src/styles/tokens.css', import.meta.url), 'utf8'),
  )
  const result = await build({
    entryPoints: [fileURLToPath(new URL('./client/main.ts', import.meta.url))],
    outdir: 'public-form',
    write: false,
    bundle: true,
    plugins,
    minify: true,
    format: 'esm',
    target: ['chrome111', 'firefox114', 'safari16.4'],
    conditions: ['@formwire/source'],
    legalComments: 'none',
    banner: { css: tokens },
    footer: {
      css: `${columnRules('data-narrow', 7)}@media (min-width:40rem){${columnRules('data-wide', 11)}}`,
    },
  })
  const text = (extension: string) =>
    result.outputFiles.find((file) => file.path.endsWith(extension))?.text ?? ''
  return { js: text('.js'), css: text('.css') }
}
