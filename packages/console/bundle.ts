import { basename } from 'node:path'
import { build, type Plugin } from 'esbuild'

/** The files of the console, minified. */
export interface ConsoleBundle {
  /** The script that the page loads. */
  readonly js: string
  readonly css: string
  /** Scripts that `js` imports, by file name: what it shares with views that are loaded when they are opened, and these views. */
  readonly chunks: Readonly<Record<string, string>>
}

/**
 * Bundles the console from `src/`. A reference server that runs from its sources calls this when the console is first
 * requested. The build of the server calls it once and replaces this module with the result, so that the published server
 * needs no bundler.
 */
export async function bundleConsole(plugins: Plugin[] = []): Promise<ConsoleBundle> {
  const { fileURLToPath } = await import('node:url')
  const result = await build({
    entryPoints: { console: fileURLToPath(new URL('./src/main.tsx', import.meta.url)) },
    outdir: 'console',
    splitting: true,
    chunkNames: '[name]-[hash]',
    write: false,
    bundle: true,
    plugins,
    minify: true,
    format: 'esm',
    target: ['chrome123', 'firefox125', 'safari17.5'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    conditions: ['@formwire/source'],
    legalComments: 'none',
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  const {
    'console.js': js = '',
    'console.css': css = '',
    ...chunks
  } = Object.fromEntries(result.outputFiles.map(({ path, text }) => [basename(path), text]))
  return { js, css, chunks }
}
