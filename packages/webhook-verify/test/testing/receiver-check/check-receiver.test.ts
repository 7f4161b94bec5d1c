import { createServer } from 'node:http'
import { createReceiver, type ReceiverOptions } from '@formwire/webhook-verify'
import { createMemoryDedupe } from '@formwire/webhook-verify/dedupe'
import { createReceiver as createExpressReceiver } from '@formwire/webhook-verify/express'
import { createReceiver as createFetchReceiver } from '@formwire/webhook-verify/fetch'
import { createReceiver as createNodeReceiver } from '@formwire/webhook-verify/node'
import {
  type CheckClock,
  type CheckReceiverOptions,
  checkReceiver,
  RECEIVER_CHECKS,
  type ReceiverReport,
  ReceiverUnreachableError,
} from '@formwire/webhook-verify/testing'
import express from 'express'
import { describe, expect, it } from 'vitest'
import { freePort } from '../../../../../test/support/free-port.ts'
import { serve as serveRoot } from '../../../../../test/support/serve.ts'
import { codeOf, refusalOf } from '../../support.ts'
import { BareReceiver } from './bare-receiver.ts'
import { DEFECTS } from './defects.ts'
import { IdleClock } from './idle-clock.ts'

const SECRET = 'whsec_test'

const serve = async (what: Parameters<typeof serveRoot>[0]): Promise<string> =>
  `${await serveRoot(what)}/webhooks`

/** Skips the pauses before a count is read; a deadline never comes. */
const clock: CheckClock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (ms <= 2_000) setImmediate(resolve)
      else signal?.addEventListener('abort', () => reject(signal.reason))
    }),
}

function check(options: Partial<CheckReceiverOptions>): Promise<ReceiverReport> {
  return checkReceiver({ secret: SECRET, clock, ...options })
}

const failedIn = ({ checks }: ReceiverReport) =>
  checks.filter(({ passed }) => passed === false).map(({ name }) => name)
const skippedIn = ({ checks }: ReceiverReport) =>
  checks.filter(({ passed }) => passed === null).map(({ name }) => name)

describe('checkReceiver with a correct receiver', () => {
  it('passes every check of a bare receiver', async () => {
    const receiver = new BareReceiver()
    const report = await check({ url: await serve(receiver.listener), handled: () => receiver.handled })
    expect(failedIn(report)).toEqual([])
    expect(report).toMatchObject({ ok: true, passed: 26, failed: 0, skipped: 0 })
    expect(report.checks[0]).toEqual({
      name: 'genuine',
      required: true,
      expected: '2xx',
      status: 200,
      durationMs: expect.any(Number),
      passed: true,
      hint: null,
    })
    expect(report.checks.map(({ name }) => name)).toEqual(Object.keys(RECEIVER_CHECKS))
  })

  it.each([404, 405])('ends after genuine when nothing handles the URL: %i', async (status) => {
    let requests = 0
    const url = await serve((_request, response) => {
      requests += 1
      response
        .writeHead(status, { 'content-type': 'text/html' })
        .end('<!DOCTYPE html><pre>Cannot POST /</pre>')
    })
    const report = await check({ url, handled: () => 0 })
    expect(requests).toBe(1)
    expect(report).toMatchObject({ ok: false, passed: 0, failed: 1, skipped: 25 })
    expect(report.checks[0]?.hint).toBe(
      `Nothing handles a POST to this URL (${status}): check the path of the URL and the method of the route.`,
    )
    expect(new Set(report.checks.slice(1).map(({ passed, hint }) => `${passed}: ${hint}`))).toEqual(
      new Set(['null: Not checked: nothing handles a POST to this URL.']),
    )
  })

  const options = (): ReceiverOptions => ({
    secret: SECRET,
    dedupe: createMemoryDedupe(),
    on: { 'response.submitted': () => countOne() },
    onError: () => undefined,
  })
  let handled = 0
  const countOne = () => {
    handled += 1
  }

  it('passes the receivers of this package: /node, /fetch and the main entry point', async () => {
    const reports = [
      await check({ url: await serve(createNodeReceiver(options())), handled: () => handled }),
      await check({ fetch: createFetchReceiver(options()), handled: async () => handled }),
      await check({ handle: createReceiver(options()), handled: () => handled }),
    ]
    expect(reports.map(failedIn)).toEqual([[], [], []])
    expect(reports.map(skippedIn)).toEqual([[], ['header_case'], ['chunked', 'not_post']])
    expect(reports.map(({ ok }) => ok)).toEqual([true, true, true])
  })
})

describe('checkReceiver with one defect', () => {
  it.each(DEFECTS)(
    'fails the checks that it implies and no others: %s',
    async (_does, members, fails, inProcess) => {
      const receiver = Object.assign(new BareReceiver(), members)
      const target = inProcess ? { handle: receiver.handle } : { url: await serve(receiver.listener) }
      const report = await check({ ...target, handled: () => receiver.handled })
      expect(failedIn(report)).toEqual(fails)
      expect(report.ok).toBe(fails.every((name) => !RECEIVER_CHECKS[name].required))
      for (const { passed, hint } of report.checks) {
        if (passed === false) expect(hint).toMatch(/^[A-Z].+\.$/)
        else if (passed) expect(hint).toBeNull()
      }
    },
  )

  it('names the body parser that ran first, instead of a wrong cause in every check', async () => {
    const app = express()
    app.use(express.json({ type: '*/*', limit: '1mb' }))
    app.post('/webhooks', createExpressReceiver({ secret: SECRET, on: {}, onError: () => undefined }))
    const { checks } = await check({ url: await serve(app) })
    const hintOf = (name: string) => checks.find((one) => one.name === name)?.hint
    expect(hintOf('genuine')).toBe(
      'The receiver fails with 500 on a genuine delivery: see its log. If a body parser such as express.json() runs before the verification, the raw bytes are gone: mount the receiver before the parser. It responded with 500 "body_already_parsed".',
    )
    expect(checks.find((one) => one.name === 'genuine')?.quote).toEqual({
      body: 'body_already_parsed',
      advice:
        'The receiver fails with 500 on a genuine delivery: see its log. If a body parser such as express.json() runs before the verification, the raw bytes are gone: mount the receiver before the parser.',
    })
    for (const name of ['large_body', 'chunked', 'tampered_body', 'same_delivery_twice']) {
      expect(hintOf(name)).toBe('It gets 500 like a genuine delivery: fix that first.')
    }
  })
})

describe('checkReceiver with a receiver that never responds', () => {
  it.each([true, false])('sends what is left at the same time: counted %s', async (isCounted) => {
    const idle = new IdleClock()
    const report = await check({
      handle: () => new Promise(() => undefined),
      clock: idle,
      ...(isCounted && { handled: () => 0 }),
    })
    expect(report).toMatchObject({ ok: false, passed: 0, failed: 24, skipped: 2 })
    expect(idle.elapsed).toBe(20_000)
    const hintOf = (name: string) => report.checks.find((one) => one.name === name)?.hint
    expect(hintOf('genuine')).toBe(
      'The receiver sent no response (none within 15 seconds): respond to every delivery, within 10 seconds, before any long work.',
    )
    expect(hintOf('old_timestamp')).toBe(
      'The receiver sent no response (none within 15 seconds) to a delivery that it must refuse: respond with 400 or 401.',
    )
  })
})

describe('checkReceiver', () => {
  it('runs the selected checks only, in the order of the report, and reports each as it ends', async () => {
    const seen: string[] = []
    const report = await check({
      url: await serve(new BareReceiver().listener),
      only: ['old_timestamp', 'genuine'],
      onResult: ({ name }) => seen.push(name),
    })
    expect(report.checks.map(({ name }) => name)).toEqual(['genuine', 'old_timestamp'])
    expect(seen).toEqual(['genuine', 'old_timestamp'])
  })

  it('sends one delivery after the other while the receiver is quick', async () => {
    const checks: string[] = []
    let [running, most] = [0, 0]
    await check({
      handle: async () => {
        running += 1
        most = Math.max(most, running)
        await new Promise((resolve) => setImmediate(resolve))
        running -= 1
        return { status: 200 }
      },
      only: ['genuine', 'old_timestamp', 'tampered_body'],
      onResult: ({ name }) => checks.push(name),
    })
    expect([checks.length, most]).toEqual([3, 1])
  })

  it('rejects when the receiver cannot be reached', async () => {
    const host = `127.0.0.1:${await freePort()}`
    const error = await check({ url: `http://${host}/hook?token=1` }).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ReceiverUnreachableError)
    expect((error as Error).message).toBe(`Could not connect to http://${host}: connection refused.`)
  })

  it('fails the remaining checks when the receiver ends during the run', async () => {
    const server = createServer(new BareReceiver().listener)
    const report = await check({
      url: await serve(server),
      only: ['genuine', 'test_ping'],
      onResult: () => void server.close().closeAllConnections(),
    })
    expect(failedIn(report)).toEqual(['test_ping'])
    expect(report.checks[1]?.hint).toMatch(
      /^The receiver ended during the checks: |^The receiver sent no response/,
    )
  })

  it('ends when its signal aborts', async () => {
    const stop = new AbortController()
    const url = await serve(() => stop.abort(new Error('stopped')))
    await expect(check({ url, signal: stop.signal })).rejects.toThrow('stopped')
  })

  it.each([
    [{ only: ['genuin'] }, 'Unknown check "genuin"; did you mean "genuine"?'],
    [{ only: [] }, 'only must be a list of names of checks, got an object.'],
    [{ handled: '/count' }, 'handled must be an http or https URL, got "/count".'],
    [
      { timeout: 1 },
      'Unknown option "timeout"; known options: url, fetch, handle, secret, only, handled, onResult, signal, clock.',
    ],
  ])('refuses %j', async (options, message) => {
    const error = await refusalOf(() => check({ url: 'http://127.0.0.1:9/', ...(options as object) }))
    expect(error).toMatchObject({ code: 'invalid_option', message })
  })

  it('refuses a blank secret', async () => {
    expect(await codeOf(() => check({ url: 'http://127.0.0.1:9/', secret: ' ' }))).toBe('invalid_secret')
  })
})
