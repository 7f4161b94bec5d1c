import { build } from 'esbuild'

/** The script and the style sheet of the console, minified. */
export interface ConsoleBundle {
  readonly js: string
  readonly css: string
}

/**
 * Bundles the console from `src/`. A reference server that runs from its sources calls this when the console is first
 * requested. The build of the server calls it once and replaces this module with the result, so that the published server
 * needs no bundler.
 */
export async function bundleConsole(): Promise<ConsoleBundle> {
  const { fileURLToPath } = await import('node:url')
  const result = await build({
    entryPoints: [fileURLToPath(new URL('./src/main.tsx', import.meta.url))],
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
