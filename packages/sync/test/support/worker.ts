import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** A program in `test/process` that a test starts and kills. */
export interface WorkerProgram {
  start(...args: string[]): Worker
  remove(): void
}

/** A process of a {@link WorkerProgram}. */
export interface Worker {
  child: ChildProcess
  /** What it wrote to stderr so far. */
  readonly errors: string
  /** Resolves when it has ended, to the signal that ended it. */
  ended: Promise<NodeJS.Signals | null>
}

/** Bundles a program, which then starts in a fraction of the time. */
export async function buildWorker(name: string): Promise<WorkerProgram> {
  // Inside the package, so that the drivers are resolved.
  const outDir = fileURLToPath(
    new URL(`../../node_modules/.worker-${basename(name, '.ts')}-${process.pid}/`, import.meta.url),
  )
  const outfile = join(outDir, 'worker.mjs')
  mkdirSync(outDir, { recursive: true })
  await build({
    entryPoints: [fileURLToPath(new URL(`../process/${name}`, import.meta.url))],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    conditions: ['@formwire/source'],
    external: ['libsql', 'pg', 'redis', '@formwire/sdk/validate'],
    logLevel: 'error',
  })
  return {
    start(...args) {
      const child = spawn(process.execPath, [outfile, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
      let errors = ''
      child.stderr.on('data', (chunk) => {
        errors += chunk
      })
      return {
        child,
        get errors() {
          return errors
        },
        ended: once(child, 'close').then(([, signal]) => signal as NodeJS.Signals | null),
      }
    },
    remove: () => rmSync(outDir, { recursive: true, force: true }),
  }
}
