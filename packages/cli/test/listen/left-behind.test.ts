import { hostname } from 'node:os'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { Stopped } from '../../src/failure.ts'
import { leftEndpoints, RunJournal } from '../../src/listen/run-journal.ts'
import { startPlain } from '../support/listen.ts'
import { type CliOptions, runCli } from '../support/run-cli.ts'
import { PARTY, type Service, startService } from '../support/service.ts'
import { until } from '../support/wait.ts'

const TUNNEL = 'http://127.0.0.1:9/tunnel'
let service: Service
let env: Record<string, string | undefined>
let homeDir: string
beforeEach(async () => {
  service = await startService()
  env = { ...service.env, FORMWIRE_ADMIN_TOKEN: undefined }
  homeDir = temporaryDirectory()
})
afterEach(() => service.server.close())

const urls = () => service.server.app.webhooks.list(PARTY).map(({ url }) => url)

/** Leaves what a killed `listen --public-url` leaves: an endpoint, and a journal with a process that does not run. */
async function leaveBehind(url = TUNNEL): Promise<number> {
  const { id } = await service.server.app.webhooks.create(PARTY, { url })
  const runtime = { env: {}, homeDir, randomId: () => `dead${id}` }
  const journal = new RunJournal(runtime, service.url, { pid: 2 ** 22 + 1, host: hostname() })
  journal.add(PARTY, url).id = id
  journal.save()
  return id
}

const listen = (args: string[], options: CliOptions = {}) =>
  runCli(['listen', '--form', PARTY, '--timeout', '1s', ...args], {
    env,
    homeDir,
    onSleep: () => Promise.resolve(),
    ...options,
  })

describe('an endpoint left behind by a killed listen', () => {
  it('is reported when stdin is not a terminal', async () => {
    const id = await leaveBehind()
    const { code, stderr } = await listen([])
    expect(code).toBe(0)
    expect(stderr).toContain(
      `left behind by an earlier listen: endpoint ${id} on form ${PARTY}; to delete, run: formwire webhooks delete ${PARTY} ${id} --yes\n`,
    )
    expect(urls()).toEqual([TUNNEL])
  })
  it('is deleted with --yes, once', async () => {
    const id = await leaveBehind()
    expect((await listen(['--yes'])).stderr).toContain(`deleted endpoint ${id} on form ${PARTY}, left behind`)
    expect(urls()).toEqual([])
    expect((await listen(['--yes'])).stderr).not.toContain('left behind')
  })
  it.each([
    ['y\n', []],
    ['n\n', [TUNNEL]],
  ])('is offered on a terminal; the reply is %j', async (reply, remaining) => {
    const id = await leaveBehind()
    const { code, stderr } = await listen(['--view', 'lines'], { reply, terminal: 200, errorTerminal: true })
    expect(code).toBe(0)
    expect(stderr).toContain(
      `left behind by an earlier listen: endpoint ${id} on form ${PARTY}. Delete? [y/N]`,
    )
    expect(urls()).toEqual(remaining)
  })
  it('is recognised without a journal when nothing listens at its local URL, but never deleted with --yes', async () => {
    const { id } = await service.server.app.webhooks.create(PARTY, { url: 'http://127.0.0.1:9/' })
    const { stderr } = await listen(['--yes', '--json'])
    expect(JSON.parse(stderr.split('\n')[0] ?? '')).toMatchObject({
      event: 'left_behind',
      endpoints: [{ form_id: PARTY, webhook_id: id, url: 'http://127.0.0.1:9/' }],
    })
    expect(urls()).toEqual(['http://127.0.0.1:9/'])
  })
  it('a running listen is not one', async () => {
    const running = startPlain(['listen', '--form', PARTY], env, { homeDir })
    await until('the endpoint', () => urls().length === 1)
    expect((await listen([])).stderr).not.toContain('left behind')
    running.stop.abort(new Stopped('interrupted'))
    await running.result
    expect(leftEndpoints({ env: {}, homeDir }, service.url, () => false)).toEqual([])
  })
})
