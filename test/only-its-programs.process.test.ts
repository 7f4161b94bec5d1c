import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { refusedPrograms } from './support/child-processes.ts'

it('starts Node, and a shell that starts nothing of another kind', () => {
  expect(spawnSync(process.execPath, ['-e', '']).status).toBe(0)
  expect(spawnSync('sh', ['-c', 'echo tmux']).stdout.toString()).toBe('tmux\n')
})

it('rejects and records a program of another kind, in a script of a shell, too', () => {
  expect(() => spawnSync('sh', ['-c', 'cd / && tmux ls'])).toThrow('may not start tmux')
  expect(() => spawnSync('bash', ['-c', 'echo 1 | openssl sha256'])).toThrow('may not start openssl')
  expect(refusedPrograms.splice(0)).toEqual(['tmux', 'openssl'])
})
