import { ResponseTooLargeError } from '@formwire/sdk'
import { beforeEach, describe, expect, it } from 'vitest'
import { serviceMessage } from '../../src/service-message.ts'
import { startPlain } from '../support/listen.ts'
import { runCli } from '../support/run-cli.ts'
import { behind, eachService, fill, PARTY, SURVEY } from '../support/service.ts'
import { until } from '../support/wait.ts'

/** Longer than the client accepts. */
const TOO_LONG = Buffer.alloc(32 * 1024 * 1024 + 1, ' ')

const service = eachService({ limits: 'off' })
let env: Record<string, string | undefined>
/** Called before each request. What it returns is sent instead of the response of the service. */
let before: (method: string, url: URL) => { status: number; body: Buffer | string } | undefined

beforeEach(async () => {
  before = () => undefined
  const FORMWIRE_BASE_URL = await behind(service, (_number, url, method) => {
    const instead = before(method, url)
    return instead && { ...instead, headers: { 'content-type': 'text/html' } }
  })
  env = { ...service.env, FORMWIRE_ADMIN_TOKEN: undefined, FORMWIRE_BASE_URL }
})

describe('responses of which 30 are larger than 32 MiB together', () => {
  beforeEach(() => {
    fill(service, 60)
    before = (_method, url) =>
      Number(url.searchParams.get('per_page')) > 30 ? { status: 200, body: TOO_LONG } : undefined
  })

  it.each([
    ['responses list SURVEY --all --format ndjson', /^(?:\{.*\}\n){62}$/],
    ['responses list SURVEY --limit 40 --page 2 --format ndjson', /^(?:\{.*\}\n){22}$/],
    ['responses export SURVEY --format csv', /^id,.*\r\n(?:\d+,[^\r]*\r\n){62}$/],
    ['types SURVEY', /62 responses/],
  ])('%s reads smaller pages', async (line, printed) => {
    const { code, stdout } = await runCli(line.replace('SURVEY', SURVEY), { env })
    expect([code, stdout]).toEqual([0, expect.stringMatching(printed)])
  })

  it('a single response of that length names its limit, not an option that no command has', async () => {
    before = (_method, { pathname }) =>
      pathname.endsWith('/responses/1') ? { status: 200, body: TOO_LONG } : undefined
    const { code, stderr } = await runCli(['responses', 'get', SURVEY, '1'], { env })
    expect([code, stderr]).toEqual([
      1,
      `formwire: could not show response 1 of form ${SURVEY}: the response is larger than 32 MiB, the limit of this command\n`,
    ])
  })
})

it('names the values of a response that has too many', () => {
  const text = 'the response has more than 4,000,000 values, the limit of this command'
  expect(serviceMessage(new ResponseTooLargeError({}))).toBe(text)
})

describe('a page of a proxy', () => {
  it('is not the word of the service that a form is not there', async () => {
    before = () => ({ status: 404, body: '<h1>No route</h1>' })
    const { code, stderr } = await runCli(['forms', 'get', SURVEY, '--json'], { env })
    expect([code, JSON.parse(stderr).error]).toEqual([
      6,
      expect.objectContaining({
        code: 'unreachable',
        status: 404,
        message: `could not show form ${SURVEY}: got a page that is not from the service: 404, text/html`,
      }),
    ])
  })

  it('instead of the deletion of a temporary endpoint: listen says that it is left', async () => {
    const running = startPlain(['listen', '--form', PARTY], env)
    await until('the endpoint', () => service.server.app.webhooks.list(PARTY).length === 1)
    const [endpoint] = service.server.app.webhooks.list(PARTY)
    before = (method) => (method === 'DELETE' ? { status: 404, body: '<h1>No route</h1>' } : undefined)
    const { stderr } = await running.end()
    expect(stderr).toContain(
      `could not delete the temporary endpoint ${endpoint?.id}; run: formwire webhooks delete ${PARTY} ${endpoint?.id} --yes\n`,
    )
  })
})
