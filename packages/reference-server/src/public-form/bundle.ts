import { build, type Plugin } from 'esbuild'

/**
 * Bundles `client/` to a minified script and style sheet. A server that runs from source calls this on the first request. The package's build calls it once and
 * replaces this module with the result (`tsup.config.ts`), so that the published package needs no bundler.
 */
export async function bundlePublicForm(
  plugins: Plugin[] = [],
): Promise<{ readonly js: string; readonly css: string }> {
  const { fileURLToPath } = await import('node:url')
  const result = await build({
    entryPoints: [fileURLToPath(new URL('./client/main.ts', import.meta.url))],
    outdir: 'public-form',
    write: false,
    bundle: true,
    plugins,
    minify: true,
    format: 'esm',
    target: ['chrome123', 'firefox125', 'safari17.5'],
    conditions: ['@formwire/source'],
    legalComments: 'none',
  })
  const text = (extension: string) =>
    result.outputFiles.find((file) => file.path.endsWith(extension))?.text ?? ''
  return { js: text('.js'), css: text('.css') }
}
