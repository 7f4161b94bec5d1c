import { expect, inject, it } from 'vitest'
import { start } from '../../../../test/support/spawn.ts'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'

it('exits with 6 for a program that never listens and never calls', async () => {
  const program = [process.execPath, '-e', 'setInterval(() => undefined, 1000)']
  const options = ['--webhook', '/hooks', '--handled', 'true']
  const argv = [inject('programs').cli, 'rehearse', ...options, '--', ...program]
  const { code, stdout } = await start(argv, { HOME: temporaryDirectory() }, '').finished
  expect([code, stdout.split('\n')[0]]).toEqual([
    6,
    'FAIL run 1 of 20 · not reachable: the program did not listen on its port, and',
  ])
})
