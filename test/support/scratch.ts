import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder for the files of this run. */
    scratch: string
  }
}

/** Global setup: creates the folder for the files of a run, and removes it at the end. */
export function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'formwire-test-'))
  project.provide('scratch', folder)
  // For what is no test, too.
  process.env.FORMWIRE_SCRATCH = folder
  return () => rmSync(folder, { recursive: true, force: true })
}
