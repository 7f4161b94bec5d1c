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
  const { id, created_at } = await service.server.app.webhooks.create(PARTY, { url })
  const runtime = { env: {}, homeDir, randomId: () => `dead${id}` }
  const journal = new RunJournal(runtime, service.url, { pid: 2 ** 22 + 1, host: hostname() })
  Object.assign(journal.add(PARTY, url), { id, created_at })
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
      `left behind by an earlier listen: endpoint ${id} (${TUNNEL}) on form ${PARTY}; to delete, run: formwire webhooks delete ${PARTY} ${id} --yes\n`,
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
      `left behind by an earlier listen: endpoint ${id} (${TUNNEL}) on form ${PARTY}. Delete? [y/N]`,
    )
    expect(urls()).toEqual(remaining)
    const again = await listen(['--view', 'lines'], { reply: 'y\n', terminal: 200, errorTerminal: true })
    expect(again.stderr).not.toContain('left behind')
    expect(urls()).toEqual(remaining)
  })
  it('names the command that deletes it after the reply n', async () => {
    const id = await leaveBehind()
    const { stderr } = await listen(['--view', 'lines'], { reply: 'n\n', terminal: 200, errorTerminal: true })
    expect(stderr).toContain(`kept; to delete, run: formwire webhooks delete ${PARTY} ${id} --yes`)
  })
  it('is reported without a question when a command is the handler', async () => {
    const id = await leaveBehind()
    const { stderr } = await listen(['--view', 'lines', '--', process.execPath, '-e', ''], {
      reply: 'y\n',
      terminal: 200,
      errorTerminal: true,
    })
    expect(stderr).toContain(
      `left behind by an earlier listen: endpoint ${id} (${TUNNEL}) on form ${PARTY}; to\n  delete, run: formwire webhooks delete ${PARTY} ${id} --yes\n`,
    )
    expect(urls()).toEqual([TUNNEL])
  })
  it.each([
    ['of a user, where nothing listens', 'http://127.0.0.1:9/'],
    ['of a user, with the URL of an endpoint that an earlier listen requested', TUNNEL],
  ])('an endpoint %s is not one', async (_whose, url) => {
    const runtime = { env: {}, homeDir, randomId: () => 'dead' }
    const journal = new RunJournal(runtime, service.url, { pid: 2 ** 22 + 1, host: hostname() })
    journal.add(PARTY, TUNNEL)
    await service.server.app.webhooks.create(PARTY, { url })
    for (const options of [['--yes'], ['--json']])
      expect((await listen(options)).stderr).not.toMatch(/left.behind/)
    expect(urls()).toEqual([url])
  })
  it('an endpoint that has its id after a reset of the server is not one', async () => {
    const id = await leaveBehind()
    const runtime = { env: {}, homeDir, randomId: () => `dead${id}` }
    const journal = new RunJournal(runtime, service.url, { pid: 2 ** 22 + 1, host: hostname() })
    Object.assign(journal.add(PARTY, TUNNEL), { id, created_at: '2026-01-01T00:00:00Z' })
    journal.save()
    expect((await listen(['--yes'])).stderr).not.toContain('left behind')
    expect(urls()).toEqual([TUNNEL])
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
