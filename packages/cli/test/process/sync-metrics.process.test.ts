import { expect, inject, it, onTestFinished } from 'vitest'
import { start } from '../../../../test/support/spawn.ts'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { parseExposition } from '../support/exposition.ts'
import { SURVEY, testService } from '../support/service.ts'
import { until } from '../support/wait.ts'

const bin = inject('programs').cli

/** Starts the built command with `--metrics 0`, and returns it with the URL that it announces. */
async function startSync() {
  const to = `sqlite:${temporaryDirectory()}/test.db`
  const service = await testService({ limits: 'off' })
  const argv = ['sync', '--all', '--to', to, '--interval', '100ms', '--metrics', '0', '--json']
  const program = start([bin, ...argv], { ...service.env, HOME: temporaryDirectory() }, '')
  onTestFinished(() => void program.child.kill('SIGKILL'))
  await until('the URL', () => program.stderr.includes('"metrics"'))
  const line = program.stderr.split('\n').find((one) => one.includes('"metrics"')) as string
  const event = JSON.parse(line) as { url: string; port: number }
  expect(event).toEqual({
    event: 'metrics',
    message: `metrics at http://127.0.0.1:${event.port}/metrics`,
    url: `http://127.0.0.1:${event.port}/metrics`,
    port: event.port,
  })
  const get = async (path: string, method = 'GET') => {
    const response = await fetch(new URL(path, event.url), { method })
    return { status: response.status, headers: response.headers, body: await response.text() }
  }
  return { ...program, get }
}

it('serves metrics and health checks from the built command, and closes their port at SIGTERM', async () => {
  const program = await startSync()
  const { get } = program
  await until('the first round', async () => (await get('/readyz')).status === 200)
  expect((await get('/healthz')).body).toBe('{"ok":true}\n')
  const { status, headers, body } = await get('/metrics?name=any')
  expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
  const metrics = parseExposition(body)
  expect(metrics.formwire_sync_rows?.values).toMatchObject({ [`{workspace="1",form="${SURVEY}"}`]: 2 })
  expect(metrics.formwire_sync_ready?.values).toEqual({ '': 1 })
  const refused = await get('/metrics', 'POST')
  expect([refused.status, refused.headers.get('allow'), refused.body]).toEqual([
    405,
    'GET',
    'Only GET is allowed.\n',
  ])
  expect((await get('/other')).status).toBe(404)
  program.child.kill('SIGTERM')
  expect((await program.finished).code).toBe(143)
  await expect(get('/healthz')).rejects.toThrow()
})

it('refuses a port that is in use: exit 2', async () => {
  const first = await startSync()
  const { port } = JSON.parse(
    first.stderr.split('\n').find((one) => one.includes('"metrics"')) as string,
  ) as { port: number }
  const service = await testService()
  const to = `sqlite:${temporaryDirectory()}/test.db`
  const second = start([bin, 'sync', '--all', '--to', to, '--metrics', String(port)], service.env, '')
  const { code, stderr } = await second.finished
  expect([code, stderr.split('\n')[0]]).toEqual([2, `formwire: port ${port} is already in use`])
})
