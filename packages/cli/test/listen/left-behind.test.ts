import { beforeEach, describe, expect, it } from 'vitest'
import { freePort } from '../../../../test/support/free-port.ts'
import { serve } from '../../../../test/support/serve.ts'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { temporaryPath } from '../../src/listen/temporary-endpoint.ts'
import { runCli } from '../support/run-cli.ts'
import { eachService, PARTY } from '../support/service.ts'

const TUNNEL = 'http://127.0.0.1:9/tunnel'
const service = eachService()
let homeDir: string
beforeEach(() => {
  homeDir = temporaryDirectory()
})

const create = async (url: string): Promise<number> =>
  (await service.server.app.webhooks.create(PARTY, { url })).id
const urls = () => service.server.app.webhooks.list(PARTY).map(({ url }) => url)
const path = () => temporaryPath({ env: {}, homeDir })
const listen = (args: string[] = []) =>
  runCli(['listen', '--form', PARTY, '--timeout', '1s', ...args], {
    env: { ...service.env, FORMWIRE_ADMIN_TOKEN: undefined },
    homeDir,
    onSleep: () => Promise.resolve(),
  })

describe('the path of temporary endpoints', () => {
  it('is one of host, user and configuration folder', () => {
    expect(path()).toMatch(/^\/formwire-listen-[0-9a-f]{16}$/)
    expect(temporaryPath({ env: {}, homeDir })).toBe(path())
    const others = [
      { env: {}, homeDir: `${homeDir}/other` },
      { env: { XDG_CONFIG_HOME: `${homeDir}/configuration` }, homeDir },
    ]
    for (const runtime of others) expect(temporaryPath(runtime)).not.toBe(path())
  })
})

describe('an endpoint left behind by a killed listen', () => {
  it('is deleted by the next start, which says so', async () => {
    const id = await create(`http://127.0.0.1:${await freePort()}${path()}`)
    const { code, stderr } = await listen()
    expect([code, urls()]).toEqual([0, []])
    expect(stderr).toContain(`deleted endpoint ${id} on form ${PARTY}, left behind by an earlier listen\n`)
    expect((await listen()).stderr).not.toContain('left behind')
  })

  it.each([
    ['whose port accepts a connection', (port: number) => `http://127.0.0.1:${port}${path()}`],
    ['with another path', () => TUNNEL],
    ['of another user', () => 'http://127.0.0.1:9/formwire-listen-0123456789abcdef'],
    ['of another host', () => `http://127.0.0.2:9${path()}`],
    ['behind a tunnel to it', () => `https://127.0.0.1:9${path()}`],
  ])('is none %s', async (_what, urlOf) => {
    const url = urlOf(Number(new URL(await serve((_, response) => response.end())).port))
    await create(url)
    const { code, stderr } = await listen()
    expect([code, urls()]).toEqual([0, [url]])
    expect(stderr).not.toContain('left behind')
  })

  it('stays with --public-url, and is named with the command that deletes it', async () => {
    const id = await create(TUNNEL)
    const deletes = `formwire webhooks delete ${PARTY} ${id} --yes`
    const { code, stderr } = await listen(['--public-url', TUNNEL])
    expect([code, urls()]).toEqual([0, [TUNNEL]])
    expect(stderr).toContain(
      `endpoint ${id} on form ${PARTY} has this URL, too, perhaps since an earlier listen was killed; to delete it, run: ${deletes}\n`,
    )
    const events = (await listen(['--public-url', TUNNEL, '--json'])).stderr.trimEnd().split('\n')
    expect(events.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ event: 'left_behind', form_id: PARTY, webhook_id: id, url: TUNNEL }),
    )
    expect((await listen(['--public-url', 'http://127.0.0.1:9/another'])).stderr).not.toContain(deletes)
    expect(urls()).toEqual([TUNNEL])
  })
})
