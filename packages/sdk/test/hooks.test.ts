import { describe, expect, it } from 'vitest'
import { Formwire, type FormwireOptions } from '../src/index.ts'
import { fakeTransport, loggerOf, ME, type Step } from './support/fake-transport.ts'

const client = (script: Step[], options: FormwireOptions): Formwire =>
  new Formwire({ apiKey: 'svc_k', transport: fakeTransport(...script), random: () => 0, ...options })

describe('hooks and log', () => {
  it('report each attempt, response and retry, and may throw without an effect', async () => {
    const events: unknown[] = []
    const errors: string[] = []
    const formwire = client([{ status: 503, headers: { 'x-request-id': 'r1' } }, ME], {
      logger: loggerOf({ error: (message) => errors.push(message) }),
      onRequest: ({ method, path, attempt }) => events.push(['request', method, path, attempt]),
      onResponse: ({ status, attempt, requestId }) => {
        events.push(['response', status, attempt, requestId])
        throw new Error('broken')
      },
      onRetry: ({ attempt, waitMs, error }) => events.push(['retry', attempt, waitMs, error.name]),
    })
    await formwire.me()
    expect(events).toEqual([
      ['request', 'GET', '/me', 1],
      ['response', 503, 1, 'r1'],
      ['retry', 1, 0, 'ServerError'],
      ['request', 'GET', '/me', 2],
      ['response', 200, 2, undefined],
    ])
    expect(errors).toEqual(['formwire: onResponse threw', 'formwire: onResponse threw'])
  })

  it('[AUTH-02] never contain the key, even if a response echoes it as its request id', async () => {
    const seen: unknown[] = []
    const log = (message: string, fields?: object): void => void seen.push(message, fields)
    const logger = { debug: log, info: log, warn: log, error: log }
    const onResponse = (event: object) => seen.push(event)
    const echo = { ...ME, headers: { 'x-request-id': 'for svc_secret' } }
    await client([echo], { apiKey: 'svc_secret', logger, logLevel: 'debug', onResponse }).me()
    expect(seen).toContainEqual(expect.objectContaining({ status: 200, requestId: 'for [redacted]' }))
    expect(JSON.stringify(seen)).not.toContain('svc_secret')
  })

  it('log a hook that rejects, without an unhandled rejection', async () => {
    const errors: string[] = []
    const unhandled: unknown[] = []
    const collect = (reason: unknown) => unhandled.push(reason)
    process.on('unhandledRejection', collect)
    await client([ME], {
      logger: loggerOf({ error: (message) => errors.push(message) }),
      onRequest: async () => {
        throw new Error('broken')
      },
    }).me()
    await new Promise((resolve) => setImmediate(resolve))
    process.off('unhandledRejection', collect)
    expect(unhandled).toEqual([])
    expect(errors).toEqual(['formwire: onRequest threw'])
  })

  it('ignore a logger that throws, and free the slot of the call', async () => {
    const broken = () => {
      throw new Error('disk full')
    }
    const logger = { debug: broken, info: broken, warn: broken, error: broken }
    const formwire = client([{ status: 503 }, ME], { apiKey: 'svc_logger', logger, logLevel: 'debug' })
    await formwire.me()
    expect(formwire.budget.remaining).toBe(118)
  })

  it('log the chosen level and less verbose ones', async () => {
    for (const [logLevel, expected] of [
      ['off', []],
      ['error', []],
      ['warn', ['warn']],
      ['debug', ['debug', 'debug', 'warn', 'debug', 'debug']],
    ] as const) {
      const levels: string[] = []
      const line = (level: string) => () => levels.push(level)
      const logger = { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') }
      await client([{ status: 503 }, ME], { logger, logLevel }).me()
      expect(levels, logLevel).toEqual(expected)
    }
  })
})
