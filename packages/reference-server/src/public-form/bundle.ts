import { build } from 'esbuild'

/** The script and the style sheet of the public form, minified. */
export interface PublicFormBundle {
  readonly js: string
  readonly css: string
}

/**
 * Bundles `client/`. Run at the first request for it when the server runs from its sources; the package's build runs it
 * once and puts its result in this module's place (`tsup.config.ts`), so that the published package needs no bundler.
 */
export async function bundlePublicForm(): Promise<PublicFormBundle> {
  const { fileURLToPath } = await import('node:url')
  const result = await build({
    entryPoints: [fileURLToPath(new URL('./client/main.ts', import.meta.url))],
    outdir: 'public-form',
    write: false,
    bundle: true,
    minify: true,
    format: 'esm',
    target: ['chrome111', 'firefox114', 'safari16.4'],
    conditions: ['@formwire/source'],
    legalComments: 'none',
  })
  const text = (extension: string) =>
    result.outputFiles.find((file) => file.path.endsWith(extension))?.text ?? ''
  return { js: text('.js'), css: text('.css') }
}
