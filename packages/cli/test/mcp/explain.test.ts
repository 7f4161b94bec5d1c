import { describe, expect, it } from 'vitest'
import { freePort } from '../../../../test/support/free-port.ts'
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

  it('[DLV-06] counts the attempts of a delivery that has used up all of them', async () => {
    const session = await startSession()
    const { form } = await session.endpoint(`http://127.0.0.1:${await freePort()}/hook`)
    await session.submit(form)
    await session.local.call('POST', '/clock/advance', { by: '15h' })
    expect(codesOf(await explained(session))).toEqual(['exhausted', 'refused'])
  })

  it('[DLV-10] finds the wrong secret of a mock receiver', async () => {
    const session = await startSession()
    const { url } = await receiver(session, { secret: 'whsec_of_another_endpoint' })
    const { form } = await session.endpoint(`${url}hook`)
    await session.submit(form)
    expect(codesOf(await explained(session))).toEqual(['wrong_secret', 'http_401'])
  })

  it('[DLV-05] finds a step of a script behind a failure', async () => {
    const session = await startSession()
    const { url } = await receiver(session, { script: ['503'] })
    const { form } = await session.endpoint(url)
    await session.submit(form)
    expect(codesOf(await explained(session))).toEqual(['scripted', 'http_503'])
  })

  it('[DLV-04] finds that the clock of the server is an hour behind real time', async () => {
    const session = await startSession(NOON + 3_600_000)
    const { url } = await receiver(session, { script: ['401'] })
    const { form } = await session.endpoint(url)
    await session.submit(form)
    const { evidence } = await explained(session)
    expect(evidence.timestamp_minus_real_time_s).toBe(-3_600)
  })

  it.each([
    ['[HOOK-07]', 'paused', (form: string, id: number) => ['POST', `/forms/${form}/webhooks/${id}/pause`]],
    ['[DLV-06]', 'form_trashed', (form: string) => ['POST', `/forms/${form}/trash`]],
    [
      '[DLV-06]',
      'response_deleted',
      (form: string, _id: number, response: number) => ['DELETE', `/forms/${form}/responses/${response}`],
    ],
  ] as const)('%s finds what stopped a delivery: %s', async (_rule, code, act) => {
    const session = await startSession()
    const { form, id } = await session.endpoint(`http://127.0.0.1:${await freePort()}/hook`)
    const response = await session.submit(form)
    const [method, path] = act(form, id, response) as [string, string]
    await session.local.call(method, path)
    expect(codesOf(await explained(session))).toEqual([code, 'refused'])
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

  it('rejects an unknown delivery', async () => {
    const session = await startSession()
    await expect(explained(session, { delivery: 'dlv_unknown' })).rejects.toMatchObject({ code: 'not_found' })
  })
})
