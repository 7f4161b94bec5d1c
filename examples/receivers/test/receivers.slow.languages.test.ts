import {
  type CheckClock,
  checkReceiver,
  createDelivery,
  examplePayload,
} from '@formwire/webhook-verify/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LANGUAGES, runVectors, SECRET, type Started, start } from './support.ts'

/** The receivers count before they respond, so no pause is needed before a count is read; the test has the deadline. */
const clock: CheckClock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (ms <= 2_000) resolve()
      else signal?.addEventListener('abort', () => reject(signal.reason))
    }),
}

// Compiling Go's standard library for the first time takes minutes on a slow machine.
const SLOW = 300_000

/** The receivers, by their language. */
const receivers = new Map<string, Started>()
const receiverIn = (name: string): Started => receivers.get(name) as Started
beforeAll(async () => {
  for (const language of LANGUAGES) receivers.set(language.name, await start(language))
}, SLOW)
afterAll(async () => {
  for (const receiver of receivers.values()) await receiver.stop()
})

describe.each(LANGUAGES)('the receiver in $name', { timeout: SLOW }, (language) => {
  it('[DLV-10] accepts and refuses every test vector as expected', async () => {
    const { code, output } = await runVectors(language)
    expect(code, output).toBe(0)
    if (language.name !== 'go') expect(output).toBe('101 vectors pass\n')
  })

  // What it remembers after a kill is rehearsed in test/docs.
  it('[DLV-05] [DLV-10] passes every check', async () => {
    const { url, handled } = receiverIn(language.name)
    const { checks } = await checkReceiver({ url, secret: SECRET, handled, clock })
    expect(checks.filter(({ passed }) => !passed)).toEqual([])
  })

  it('refuses what is too large, not a request, or has ids beyond 64 bits, and stores a response whose form has a long id', async () => {
    const { url, handled, sendRaw, log } = receiverIn(language.name)
    const logged = log().length
    const post = 'POST /webhooks HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n'
    const deliver = async (payload = examplePayload()): Promise<number> => {
      const { headers, body } = createDelivery({ secret: SECRET, payload })
      return (await fetch(url, { method: 'POST', headers, body })).status
    }
    // A receiver may respond before it has read the whole body, and close the connection.
    const large = fetch(url, { method: 'POST', body: Buffer.alloc(2_621_441, ' ') })
    expect([400, 413, 'closed']).toContain(await large.then(({ status }) => status).catch(() => 'closed'))
    expect(await deliver()).toBe(200)

    const before = await handled()
    expect(await deliver({ ...examplePayload(), form: { id: 'f'.repeat(1_000), title: 'Survey' } })).toBe(200)
    expect(await handled()).toBe(before + 1)

    await sendRaw('')
    const chunks = 'many\r\n{}\r\n0\r\n\r\n'
    // PHP's server closes the connection instead.
    for (const rest of [
      'Content-Length: -5\r\n\r\n',
      'Content-Length: many\r\n\r\n',
      `Transfer-Encoding: chunked\r\n\r\n${chunks}`,
    ])
      expect(await sendRaw(post + rest)).toMatch(/^($|HTTP\/1\.[01] 4\d\d )/)
    const { form, response } = examplePayload()
    for (const [id, statuses] of [
      // Ruby has integers of any length.
      [2 ** 64, [200, 400]],
      [-(2 ** 64), [200, 400]],
      [1, [200]],
    ] as const)
      expect(statuses).toContain(await deliver({ form, response: { ...response, id } }))
    expect(log().slice(logged)).not.toMatch(/exception|error|traceback/i)
  })
})

// Together, since each takes the ten seconds.
it('each receiver closes a connection on which the rest of a delivery does not arrive', async () => {
  const text = 'POST /webhooks HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\n{'
  const closing = LANGUAGES.filter(({ closesStalled }) => closesStalled)
  expect(closing).toHaveLength(3)
  await Promise.all(
    closing.map(async ({ name }) =>
      expect(await receiverIn(name).sendRaw(text), name).toMatch(/^($|HTTP\/1\.[01] 4\d\d )/),
    ),
  )
})
