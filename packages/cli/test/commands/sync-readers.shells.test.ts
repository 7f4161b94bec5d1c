import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { Stopped } from '../../src/failure.ts'
import { runCli } from '../support/run-cli.ts'
import { SURVEY, testService } from '../support/service.ts'

it('formwire sync lets the sqlite3 program read the file while it follows', async () => {
  const service = await testService({ limits: 'off' })
  const path = join(temporaryDirectory(), 'test.db')
  const stop = new AbortController()
  let seen = ''
  await runCli(['sync', SURVEY, '--to', `sqlite:${path}`], {
    env: service.env,
    stop: stop.signal,
    onStdout() {
      setImmediate(() => {
        const sql = 'SELECT count(*) FROM formwire_responses'
        seen = spawnSync('sqlite3', [path, sql], { encoding: 'utf8' }).stdout
        stop.abort(new Stopped('interrupted', 'SIGINT'))
      })
    },
  })
  await service.server.close()
  expect(seen).toBe('2\n')
})
