import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

const directories: string[] = []
afterAll(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true })
})

/** Creates an empty directory that is removed after the last test of the file. @default parent the system's */
export function temporaryDirectory(parent = tmpdir()): string {
  mkdirSync(parent, { recursive: true })
  const directory = mkdtempSync(join(parent, 'formwire-cli-test-'))
  directories.push(directory)
  return directory
}
