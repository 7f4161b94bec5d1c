import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createMemoryDedupe } from '@formwire/webhook-verify/dedupe'
import { createReceiver, type ReceiverOptions } from '@formwire/webhook-verify/node'
import { describe, expect, it } from 'vitest'
import { freePort } from '../../../../test/support/free-port.ts'
import { serve } from '../../../../test/support/serve.ts'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { type CliOptions, type CliResult, NOON, rowsOf, runCli } from '../support/run-cli.ts'

const SECRET = 'whsec_of_the_receiver'
const env = { FORMWIRE_WEBHOOK_SECRET: SECRET }

/** Serves a correct receiver at `/webhooks` and its count at `/handled`. */
function serveReceiver(options: Partial<ReceiverOptions> = {}): Promise<string> {
  let handled = 0
  const receive = createReceiver({
    secret: SECRET,
    now: NOON,
    dedupe: createMemoryDedupe(),
    on: {
      'response.submitted': () => {
        handled += 1
      },
    },
    onError: () => undefined,
    ...options,
  })
  return serve((request, response) => {
    if (request.url === '/handled') response.end(`${handled}\n`)
    else void receive(request, response)
  })
}

function check(argv: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  return runCli(['receiver', 'check', ...argv], {
    env,
    onSleep: (ms) => (ms <= 2_000 ? Promise.resolve() : new Promise(() => undefined)),
    ...options,
  })
}

describe('formwire receiver check', () => {
  it('prints a row a check for a correct receiver: exit 0', async () => {
    const url = await serveReceiver()
    const { code, stdout, stderr } = await check([`${url}/webhooks`, '--handled-url', `${url}/handled`])
    expect(stderr).toBe('26 passed, 0 failed\n')
    expect((await check([`${await serveReceiver()}/webhooks`])).stderr).toBe(
      '26 passed, 0 failed\nDuplicates were judged by status only; pass --handled-url to check that each is handled once.\n',
    )
    expect(code).toBe(0)
    const rows = rowsOf(stdout)
    expect(rows).toHaveLength(26)
    expect(rows[0]).toEqual(['genuine', '2xx', '200', 'passed', ''])
    expect(rows[10]).toEqual(['tampered_body', '4xx', '401', 'passed', ''])
    expect(rows[22]).toEqual(['not_post', '4xx', '405', 'passed', ''])
    expect(rows[25]).toEqual(['concurrent_duplicates', '2xx', '200', 'passed', ''])
  })

  it('prints a table and a sentence for each failed check on a terminal: exit 1', async () => {
    const url = `${await serveReceiver({ toleranceSeconds: Number.POSITIVE_INFINITY })}/webhooks`
    const only = ['--no-color', '--only', 'genuine', 'old_timestamp']
    const { code, stdout, stderr } = await check([url, ...only], { terminal: 80, errorTerminal: true })
    expect(stdout).toBe(`CHECK          EXPECTED  SEEN  VERDICT
genuine        2xx       200   ✓ passed
old_timestamp  4xx       200   ✗ failed

old_timestamp
  The receiver accepts old deliveries, so that captured ones can be replayed:
  refuse timestamps more than 5 minutes ago.
`)
    expect(stderr).toContain('1 of 2 checks (50%) · genuine')
    expect(stderr).toMatch(
      /✗ 1 passed, 1 failed; 1 of 2 required checks passed\n✗ 1 of 2 required checks failed\n$/,
    )
    expect(code).toBe(1)
  })

  it('prints one JSON document with --json, and the failure on stderr', async () => {
    const url = `${await serveReceiver({ toleranceSeconds: Number.POSITIVE_INFINITY })}/webhooks`
    const { code, stdout, stderr } = await check([url, '--json'])
    const report = JSON.parse(stdout)
    expect(Object.keys(report)).toEqual(['url', 'passed', 'failed', 'skipped', 'checks'])
    expect(report).toMatchObject({ url, passed: 24, failed: 2, skipped: 0 })
    expect(report.checks).toHaveLength(26)
    expect(report.checks[17]).toEqual({
      name: 'old_timestamp',
      required: true,
      expected: '4xx',
      status: 200,
      duration_ms: 0,
      passed: false,
      hint: 'The receiver accepts old deliveries, so that captured ones can be replayed: refuse timestamps more than 5 minutes ago.',
    })
    expect(JSON.parse(stderr).error).toMatchObject({ code: 'receiver_failed', exit_code: 1 })
    expect(code).toBe(1)
  })

  it('exits with 0 when only a check failed that is not required', async () => {
    const receive = createReceiver({ secret: SECRET, now: NOON, on: {}, onError: () => undefined })
    const url = await serve((request, response) => {
      request.method = 'POST'
      void receive(request, response)
    })
    const file = join(temporaryDirectory(), 'receiver.xml')
    const { code, stdout } = await check([url, '--json', '--junit', file])
    expect(JSON.parse(stdout)).toMatchObject({ passed: 25, failed: 1 })
    expect(code).toBe(0)
    const xml = readFileSync(file, 'utf8')
    expect(xml).toContain(
      `<testsuite name="receiver check ${url}" tests="26" failures="0" errors="0" skipped="1"`,
    )
    expect(xml).toContain(
      '<skipped message="failed (not required): expected 4xx, got 200: The receiver handles other',
    )
  })

  it.each([
    ['--only old_timestamp genuine', ['genuine', 'old_timestamp']],
    ['--only genuine --only old_timestamp', ['genuine', 'old_timestamp']],
    ['--only genuine,chunked', ['genuine', 'chunked']],
  ])('runs the checks of %s', async (only, names) => {
    const { stdout } = await check([`${await serveReceiver()}/webhooks`, '--json', ...only.split(' ')])
    expect(JSON.parse(stdout).checks.map(({ name }: { name: string }) => name)).toEqual(names)
  })

  it('understands a host with a port, and a port', async () => {
    const { port } = new URL(await serveReceiver())
    for (const url of [`localhost:${port}/webhooks`, `${port}/webhooks`]) {
      const { code, stdout } = await check([url, '--only', 'genuine', '--json'])
      expect([code, JSON.parse(stdout).url]).toEqual([0, `http://localhost:${port}/webhooks`])
    }
  })

  it.each([
    [
      'an unknown check',
      ['--only', 'genuine', 'tampered'],
      env,
      'unknown check "tampered"\n  did you mean "tampered_body"?\n',
    ],
    ['no secret', [], {}, 'no endpoint secret\n'],
  ])('sends nothing with %s: exit 2', async (_what, argv, given, message) => {
    let requests = 0
    const url = await serve((_request, response) => {
      requests += 1
      response.end()
    })
    const { code, stdout, stderr } = await check([url, ...argv], { env: given })
    expect([code, stdout, requests]).toEqual([2, '', 0])
    expect(stderr).toContain(`formwire: ${message}`)
  })

  it('prefers --secret-stdin to the environment, and trims the line end', async () => {
    const argv = [`${await serveReceiver()}/webhooks`, '--only', 'genuine', '--json', '--secret-stdin']
    const { code, stderr } = await check(argv, {
      env: { FORMWIRE_WEBHOOK_SECRET: 'whsec_of_another' },
      stdin: `${SECRET}\r\n`,
    })
    expect(stderr).toBe('')
    expect(code).toBe(0)
  })

  it('exits with 6 when the receiver cannot be reached', async () => {
    const url = `http://127.0.0.1:${await freePort()}`
    const { code, stdout, stderr } = await check([`${url}/webhooks`])
    expect([code, stdout]).toEqual([6, ''])
    expect(stderr).toBe(
      `formwire: could not connect to ${url}: connection refused\n  check that the receiver is running, and check the URL\n`,
    )
  })

  it('writes a failed check as a failure of the report, and never prints the secret', async () => {
    const url = await serve((_request, response) => response.writeHead(404, SECRET).end(SECRET))
    const file = join(temporaryDirectory(), 'receiver.xml')
    const { code, stdout, stderr } = await check([url, '--json', '--junit', file])
    expect(code).toBe(1)
    const xml = readFileSync(file, 'utf8')
    expect(xml).toContain(
      '<failure message="expected 2xx, got 404: Nothing handles a POST to this URL (404): check the path of the URL and the method of the route. It responded with 404 &quot;(secret)&quot;.">',
    )
    expect(stdout + stderr + xml).not.toContain(SECRET)
  })
})
