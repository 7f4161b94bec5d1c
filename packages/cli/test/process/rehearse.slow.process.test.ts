import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
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
    '✗ not reachable: the program did not listen on its port, and did not call the',
  ])
})

it('[DLV-08] requires with --complete what was never delivered, but not without', async () => {
  const folder = temporaryDirectory()
  const file = join(folder, 'schedule.json')
  const steps = [{ at_ms: 0, kind: 'pause', for_ms: 300 }]
  writeFileSync(file, JSON.stringify({ version: 1, responses: [{ at_ms: 50 }], steps }))
  const receiver = `require('http').createServer((_request, response) => response.end()).listen(process.env.PORT)`
  const options = ['--webhook', '/hooks', '--handled', 'true', '--schedule', file]
  const run = (more: readonly string[]) =>
    start(
      [inject('programs').cli, 'rehearse', ...options, ...more, '--', process.execPath, '-e', receiver],
      { HOME: folder },
      '',
    ).finished
  expect(await run([])).toMatchObject({ code: 0 })
  expect(await run(['--complete'])).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('✗ lost: response 1 was never handled'),
  })
})
