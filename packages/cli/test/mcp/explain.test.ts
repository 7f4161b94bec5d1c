import { describe, expect, it } from 'vitest'
import { freePort } from '../../../../test/support/free-port.ts'
import { serve } from '../../../../test/support/serve.ts'
import type { Explanation } from '../../src/mcp/explain/explain-delivery.ts'
import { type McpOptions, startMcp } from '../support/mcp-in-process.ts'
import { NOON } from '../support/run-cli.ts'

const codesOf = ({ causes }: Explanation): string[] => causes.map(({ name }) => name)

/** Starts a local server, and what explains its deliveries. */
async function start(options: McpOptions = {}) {
  const { call, expectAll } = await startMcp([], options)
  await call('server', { action: 'start', now: new Date(NOON).toISOString() })
  return {
    call,
    expectAll,
    explained: (args = {}): Promise<Explanation> => call('explain', args),
    receiver: async (settings: object): Promise<string> =>
      (await call('receiver', { action: 'start', ...settings })).url,
    /** Creates a form with an endpoint, and returns their ids. */
    async endpoint(url: string): Promise<{ form: string; webhook: number }> {
      const { form, webhook } = await call('form', { action: 'create', url })
      return { form: form.id, webhook: webhook.id }
    },
    /** Submits a response and waits until its deliveries have been attempted. Returns the response's id. */
    async submit(form: string): Promise<number> {
      const { responses } = await call('submit', { form })
      await call('clock', { advance: '0s' })
      return responses[0].id
    },
  }
}

describe('the tool explain', () => {
  it('[DLV-05] explains the newest delivery that failed', async () => {
    const { endpoint, submit, explained } = await start()
    const { form, webhook: id } = await endpoint(`http://127.0.0.1:${await freePort()}/hook`)
    const response_id = await submit(form)
    const explanation = await explained()
    expect(codesOf(explanation)).toEqual(['refused'])
    expect(explanation.evidence).toMatchObject({
      response_id,
      endpoint: { id, active: true },
      attempts: [{ number: 1, error: 'refused', http_status: null }],
      signed_with_current_secret: true,
    })
    expect(explanation.change.at(-1)).toBe('Then advance the clock: tool clock, {"advance": "60s"}.')
    expect(await explained({ delivery: explanation.evidence.delivery })).toEqual(explanation)
  })

  it('[DLV-05] waits for the attempt that is in flight', async () => {
    const { call, endpoint, receiver, explained } = await start()
    const { form } = await endpoint(await receiver({ script: [{ status: 500, delay_ms: 300 }] }))
    await call('submit', { form })
    expect(codesOf(await explained())).toEqual(['scripted', 'http_500'])
  })

  it('[DLV-01] explains why nothing was sent', async () => {
    const { expectAll, endpoint, receiver, submit } = await start()
    const none = (outcome: string, name: string) => ['explain', {}, { outcome, causes: [{ name }] }] as const
    // A removed endpoint takes its log with it.
    await expectAll([none('no delivery is logged', 'no_endpoint')])
    const { form } = await endpoint(await receiver({}))
    await expectAll([none('nothing has been sent', 'no_response')])
    await submit(form)
    const evidence = { deliveries: { delivered: 1 } }
    await expectAll([['explain', {}, { outcome: 'no delivery has failed', causes: [], evidence }]])
  })

  it('[HOOK-07] counts the responses that a paused endpoint will never be sent, also after it was resumed', async () => {
    const { call, endpoint, receiver, submit, explained } = await start()
    const ids = await endpoint(await receiver({}))
    await call('form', { action: 'pause', ...ids })
    for (let count = 0; count < 3; count += 1) await submit(ids.form)
    const paused = await explained()
    expect([paused.outcome, codesOf(paused)]).toEqual(['nothing has been sent', ['paused']])
    expect(paused.change.at(-1)).toMatch(/^Resuming does not send what was submitted meanwhile \(3\)/)
    await call('form', { action: 'resume', ...ids })
    const resumed = await explained()
    expect(resumed.causes).toEqual([
      {
        name: 'never_sent',
        text: expect.stringMatching(/^3 responses were submitted while an endpoint was paused/),
      },
    ])
    expect(resumed.evidence.endpoints).toMatchObject([{ id: ids.webhook, not_sent: 3 }])
    expect(resumed.docs).toContain('docs/explanation/webhook-delivery.md#missed')
    await submit(ids.form)
    expect(codesOf(await explained())).toEqual(['never_sent'])
  })

  it('[DLV-08] leaves a delivery alone whose replay was delivered', async () => {
    const { call, endpoint, receiver, submit, explained } = await start()
    const ids = await endpoint(await receiver({ script: ['500'] }))
    await submit(ids.form)
    await call('form', { action: 'pause', ...ids })
    await submit(ids.form)
    const { delivery } = (await explained()).evidence
    await call('form', { action: 'resume', ...ids })
    await call('deliveries', { action: 'replay', delivery })
    const recovered = await explained()
    expect(recovered.outcome).toBe('no delivery has failed')
    expect(recovered.evidence.endpoints).toMatchObject([{ id: ids.webhook, not_sent: 1 }])
    const old = await explained({ delivery })
    expect(old.causes[1]?.text).toMatch(/made it respond with 500/)
    expect(old.change).toEqual([expect.stringMatching(/^Nothing: its replay dlv_\w+ was delivered/)])
  })

  it('[DLV-04] keeps the time at which an attempt was first seen', async () => {
    let now = NOON + 290_000
    const { endpoint, receiver, submit, explained } = await start({ now: () => now })
    await submit((await endpoint(await receiver({ script: ['401'] }))).form)
    const before = await explained()
    now += 25_000
    expect(await explained()).toEqual(before)
    expect(before.evidence.timestamp_minus_real_time_s).toBe(-290)
  })

  it('[HOOK-08] finds that the secret was replaced since the last delivery that was accepted', async () => {
    const { call, endpoint, submit, explained } = await start()
    // A receiver elsewhere: a mock receiver would say why.
    const statuses = [200, 401]
    const url = await serve((_request, response) => response.writeHead(statuses.shift() ?? 401).end())
    const ids = await endpoint(`${url}/hook`)
    await submit(ids.form)
    await call('form', { action: 'rotate_secret', ...ids })
    await submit(ids.form)
    const explanation = await explained()
    expect(codesOf(explanation)).toEqual(['secret_replaced', 'http_401'])
    expect(explanation.evidence.signed_with_current_secret).toBe(true)
  })
})
