import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { refusedPrograms } from './support/child-processes.ts'

it.each([
  ['by its name', () => spawnSync('ls')],
  ['by its path', () => spawnSync('/bin/ls')],
  ['that is Node', () => spawnSync(process.execPath, ['--version'])],
  ['with a promise', () => promisify(execFile)('ls')],
])('rejects and records a program %s, since a unit test starts none', async (_, start) => {
  await expect((async () => start())()).rejects.toThrow('A test of the kind "unit" may not start')
  expect(refusedPrograms.splice(0)).toHaveLength(1)
})
