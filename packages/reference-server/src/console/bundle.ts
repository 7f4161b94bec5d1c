import { build } from 'esbuild'

/** The console's program and its style sheet, minified. */
export interface ConsoleBundle {
  readonly js: string
  readonly css: string
}

/**
 * Bundles the console from `client/`. Run at the first request when the server runs from its sources; the package's
 * build runs it once and puts its result in this module's place (`consoleBundlePlugin` in `tsup.config.ts`), so that
 * the published package needs no bundler.
 */
export async function bundleConsole(): Promise<ConsoleBundle> {
  const { fileURLToPath } = await import('node:url')
  const result = await build({
    entryPoints: [fileURLToPath(new URL('./client/main.tsx', import.meta.url))],
    outdir: 'console',
    write: false,
    bundle: true,
    minify: true,
    format: 'esm',
    target: ['chrome111', 'firefox114', 'safari16.4'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    conditions: ['@formwire/source'],
    legalComments: 'none',
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  const text = (extension: string) =>
    result.outputFiles.find((file) => file.path.endsWith(extension))?.text ?? ''
  return { js: text('.js'), css: text('.css') }
}
