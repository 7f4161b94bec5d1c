import { describe, expect, it } from 'vitest'
import { freePort } from '../../../../test/support/free-port.ts'
import { serve } from '../../../../test/support/serve.ts'
import type { Explanation } from '../../src/mcp/explain/explain-delivery.ts'
import { explain } from '../../src/mcp/tools/explain.ts'
import { type LocalSession, startSession } from '../support/mcp-session.ts'
import { NOON } from '../support/run-cli.ts'

const codesOf = ({ causes }: Explanation): string[] => causes.map(({ name }) => name)

const explained = async ({ run }: LocalSession, args = {}): Promise<Explanation> =>
  (await run(explain, args)) as Explanation

async function receiver({ local }: LocalSession, settings: object): Promise<{ id: number; url: string }> {
  return (await local.call('POST', '/receivers', settings)) as { id: number; url: string }
}

describe('the tool explain', () => {
  it('[DLV-05] explains the newest delivery that failed', async () => {
    const session = await startSession()
    const { form, id } = await session.endpoint(`http://127.0.0.1:${await freePort()}/hook`)
    const response = await session.submit(form)
    const explanation = await explained(session)
    expect(codesOf(explanation)).toEqual(['refused'])
    expect(explanation.evidence).toMatchObject({
      response_id: response,
      endpoint: { id, active: true },
      attempts: [{ number: 1, error: 'refused', http_status: null }],
      signed_with_current_secret: true,
    })
    expect(explanation.change.at(-1)).toBe('Then advance the clock: tool clock, {"advance": "60s"}.')
    const delivery = explanation.evidence.delivery as string
    expect(await explained(session, { delivery })).toEqual(explanation)
  })

  it('[DLV-05] waits for the attempt that is in flight', async () => {
    const session = await startSession()
    const { url } = await receiver(session, { script: [{ status: 500, delay_ms: 300 }] })
    const { form } = await session.endpoint(url)
    await session.local.call('POST', `/forms/${form}/responses`, {
      answers: [{ question_id: 'stars', value: 5 }],
      deliver: true,
    })
    expect(codesOf(await explained(session))).toEqual(['scripted', 'http_500'])
  })

  it('[DLV-10] finds the wrong secret of a mock receiver', async () => {
    const session = await startSession()
    const { url } = await receiver(session, { secret: 'whsec_of_another_endpoint' })
    const { form } = await session.endpoint(`${url}hook`)
    await session.submit(form)
    expect(codesOf(await explained(session))).toEqual(['wrong_secret', 'http_401'])
  })

  it('[DLV-01] explains why nothing was sent', async () => {
    const session = await startSession()
    expect(codesOf(await explained(session))).toEqual(['no_endpoint'])
    const { url } = await receiver(session, {})
    const { form } = await session.endpoint(url)
    expect(codesOf(await explained(session))).toEqual(['no_response'])
    await session.submit(form)
    expect(await explained(session)).toMatchObject({
      outcome: 'no delivery has failed',
      causes: [],
      evidence: { deliveries: { delivered: 1 } },
    })
  })

  it('[HOOK-07] counts the responses that a paused endpoint will never be sent, also after it was resumed', async () => {
    const session = await startSession()
    const { url } = await receiver(session, {})
    const { form, id } = await session.endpoint(url)
    await session.local.call('POST', `/forms/${form}/webhooks/${id}/pause`)
    for (let count = 0; count < 3; count += 1) await session.submit(form)
    const paused = await explained(session)
    expect(codesOf(paused)).toEqual(['paused'])
    expect(paused.change.at(-1)).toMatch(/^Resuming does not send what was submitted meanwhile \(3\)/)
    await session.local.call('POST', `/forms/${form}/webhooks/${id}/resume`)
    const resumed = await explained(session)
    expect(resumed.causes).toEqual([
      {
        name: 'never_sent',
        text: expect.stringMatching(/^3 responses were submitted while an endpoint was paused/),
      },
    ])
    expect(resumed.evidence.endpoints).toMatchObject([{ id, not_sent: 3 }])
    expect(resumed.docs).toContain('docs/explanation/webhook-delivery.md#missed')
    await session.submit(form)
    expect(codesOf(await explained(session))).toEqual(['never_sent'])
  })

  it('[DLV-08] leaves a delivery alone whose replay was delivered', async () => {
    const session = await startSession()
    const { url } = await receiver(session, { script: ['500'] })
    const { form, id } = await session.endpoint(url)
    await session.submit(form)
    await session.local.call('POST', `/forms/${form}/webhooks/${id}/pause`)
    await session.submit(form)
    const { evidence } = await explained(session)
    await session.local.call('POST', `/forms/${form}/webhooks/${id}/resume`)
    await session.local.call('POST', `/deliveries/${evidence.delivery}/replay`)
    const recovered = await explained(session)
    expect(recovered.outcome).toBe('no delivery has failed')
    expect(recovered.evidence.endpoints).toMatchObject([{ id, not_sent: 1 }])
    const old = await explained(session, { delivery: evidence.delivery })
    expect(old.causes[1]?.text).toMatch(/made it respond with 500/)
    expect(old.change).toEqual([expect.stringMatching(/^Nothing: its replay dlv_\w+ was delivered/)])
  })

  it('[DLV-05] explains the newest response when several have the same time', async () => {
    const session = await startSession()
    const first = await session.endpoint((await receiver(session, { script: ['500'] })).url)
    const second = await session.endpoint((await receiver(session, { script: ['500'] })).url)
    await session.submit(first.form)
    const newest = await session.submit(second.form)
    expect((await explained(session)).evidence.response_id).toBe(newest)
  })

  it('[DLV-04] keeps the time at which an attempt was first seen', async () => {
    let now = NOON + 290_000
    const session = await startSession(() => now)
    const { url } = await receiver(session, { script: ['401'] })
    const { form } = await session.endpoint(url)
    await session.submit(form)
    const before = await explained(session)
    now += 25_000
    expect(await explained(session)).toEqual(before)
    expect(before.evidence.timestamp_minus_real_time_s).toBe(-290)
  })

  it('[HOOK-08] finds that the secret was replaced since the last delivery that was accepted', async () => {
    const session = await startSession()
    // A receiver elsewhere: a mock receiver would say why.
    const statuses = [200, 401]
    const url = await serve((_request, response) => response.writeHead(statuses.shift() ?? 401).end())
    const { form, id } = await session.endpoint(`${url}/hook`)
    await session.submit(form)
    const rotated = (await session.local.call('POST', `/forms/${form}/webhooks/${id}/rotate-secret`)) as {
      secret: string
    }
    session.local.secrets.set(id, rotated.secret)
    await session.submit(form)
    const { causes, evidence } = await explained(session)
    expect(causes.map(({ name }) => name)).toEqual(['secret_replaced', 'http_401'])
    expect(evidence.signed_with_current_secret).toBe(true)
  })
})
