import { createHmac } from 'node:crypto'
import { expect } from 'vitest'
import { PATIENT } from '../../../../../test/support/patience.ts'
import {
  createMockReceiver,
  type MockReceiver,
  type MockReceiverOptions,
} from '../../../src/receiver/index.ts'
import { FORM, KEYS } from '../seed.ts'
import type { World } from '../world.ts'
import { expectEach, shows, told } from './case.ts'

/** The start of every case, in seconds. */
const BEGIN = 1_772_452_800
const NO_META = { device: null, browser: null, os: null, ref: null, utm: {} }
const PAUSED = 'The endpoint is paused. Resume it and replay this delivery.'
const always = (step: string) => Array<string>(40).fill(step)

interface Hook {
  readonly receiver: MockReceiver
  readonly id: number
  readonly secret: string
}

/** Runs a case with a receiver that is registered as an endpoint. */
async function withHook(
  world: World,
  options: MockReceiverOptions,
  run: (hook: Hook) => Promise<void>,
): Promise<void> {
  const receiver = await createMockReceiver(options).listen()
  try {
    const { json } = await world.api('POST', `/forms/${FORM}/webhooks`, { json: { url: receiver.url } })
    receiver.secrets = [json.data.secret]
    await run({ receiver, id: json.data.id, secret: json.data.secret })
  } finally {
    await receiver.close()
  }
}

const submit = async ({ any }: World, name = 'Ada'): Promise<number> => {
  const { status, json } = await any('POST', '/f/survey', {
    json: { answers: [{ question_id: 'name', value: name }] },
    headers: { accept: 'application/json' },
  })
  expect(status).toBe(201)
  return json.data.id
}

const advance = async ({ app }: World, by: string | number): Promise<void> => {
  expect((await app('POST', '/clock/advance', { json: { by } })).status).toBe(200)
}

const log = async ({ app }: World, id: number) =>
  (await app('GET', `/forms/${FORM}/webhooks/${id}/deliveries`)).json.data

const act = ({ app }: World, id: number, action: string) =>
  app('POST', `/forms/${FORM}/webhooks/${id}/${action}`)

const offsets = (receiver: MockReceiver): number[] =>
  receiver.deliveries.map(({ timestamp }) => timestamp - BEGIN)

export const deliveryCases = [
  shows(
    'DLV-01 DLV-03 DLV-04 DLV-13',
    'sends a signed delivery immediately to an endpoint that existed before the submission',
    async (world) => {
      await submit(world, 'too early')
      await withHook(world, {}, async ({ receiver, secret }) => {
        const id = await submit(world, 'Ada')
        const [delivery] = await receiver.waitFor(1, PATIENT)
        expect(delivery?.payload).toEqual({
          event: 'response.submitted',
          form: { id: FORM, title: 'Survey' },
          response: {
            id,
            submitted_at: '2026-03-02T12:00:00.000Z',
            answers: [
              { question_id: 'name', title: 'Your name?', type: 'short_text', value: 'Ada', text: 'Ada' },
            ],
            score: null,
            max_score: null,
            meta: NO_META,
          },
        })
        const signed = Buffer.concat([Buffer.from(`${BEGIN}.`), delivery?.rawBody ?? Buffer.alloc(0)])
        expect([delivery?.method, delivery?.headers['content-type']]).toEqual(['POST', 'application/json'])
        expect(delivery?.headers).toMatchObject({
          'x-service-event': 'response.submitted',
          'x-service-delivery': expect.stringMatching(/^\S+$/),
          'x-service-timestamp': String(BEGIN),
          'x-service-signature': `sha256=${createHmac('sha256', secret).update(signed).digest('hex')}`,
        })
      })
    },
  ),
  shows('DLV-01', 'sends nothing for a draft before it is submitted', async (world) => {
    await withHook(world, {}, async ({ receiver }) => {
      const ask = { json: { answers: [{ question_id: 'name', value: 'Ada' }] } }
      const { json } = await world.any('POST', '/f/survey/drafts', ask)
      await advance(world, '1h')
      expect(receiver.deliveries).toEqual([])
      await world.any('POST', `/f/survey/drafts/${json.data.token}/submit`, ask)
      await advance(world, 0)
      expect(offsets(receiver)).toEqual([3_600])
    })
  }),
  shows('DLV-02 DLV-13', 'sends a test event with one example answer and response id 0', async (world) => {
    await withHook(world, {}, async ({ receiver, id }) => {
      expect((await act(world, id, 'test')).status).toBe(201)
      await advance(world, 0)
      const text = 'This is a test event.'
      expect(receiver.deliveries[0]?.headers['x-service-event']).toBe('test.ping')
      expect(receiver.deliveries[0]?.payload).toEqual({
        event: 'test.ping',
        form: { id: FORM, title: 'Survey' },
        response: {
          id: 0,
          submitted_at: '2026-03-02T12:00:00.000Z',
          answers: [{ question_id: 'example', title: 'How was it?', type: 'short_text', value: text, text }],
          score: null,
          max_score: null,
          meta: NO_META,
        },
      })
    })
  }),
  shows('DLV-12', 'returns and replays deliveries on no route of the API', async (world) => {
    await withHook(world, {}, async ({ id }) => {
      await submit(world)
      await advance(world, 0)
      const [{ id: deliveryId }] = await log(world, id)
      const endpoint = `/forms/${FORM}/webhooks/${id}`
      const requests = [
        ['GET', endpoint],
        ['GET', `${endpoint}/deliveries`],
        ['GET', `${endpoint}/deliveries/${deliveryId}`],
        ['GET', `${endpoint}/log`],
        ['GET', `/forms/${FORM}/deliveries`],
        ['GET', '/deliveries'],
        ['GET', `/deliveries/${deliveryId}`],
        ['GET', '/deliveries/stream'],
        ['POST', `/deliveries/${deliveryId}/replay`],
        ['POST', `${endpoint}/deliveries/${deliveryId}/replay`],
        ['POST', `${endpoint}/test`],
      ] as const
      await expectEach(requests, async ([method, path]) => told(await world.api(method, path)), [
        404,
        'not_found',
      ])
      for (const path of [`/forms/${FORM}/webhooks`, `/forms/${FORM}/responses`, `/forms/${FORM}`]) {
        expect((await world.api('GET', path)).text).not.toContain(deliveryId)
      }
      // The control API has the log but does not accept an API key.
      const { status } = await world.any('GET', `/_app${endpoint}/deliveries`, { key: KEYS.write })
      expect(status).toBe(401)
    })
  }),
  shows('DLV-06', 'fails after six scheduled attempts with the same id and body', async (world) => {
    await withHook(world, { script: always('500') }, async ({ receiver, id }) => {
      await submit(world)
      await advance(world, '15h')
      expect(offsets(receiver)).toEqual([0, 60, 360, 2_160, 9_360, 52_560])
      expect(new Set(receiver.deliveries.map((one) => `${one.id} ${one.rawBody.toString('hex')}`)).size).toBe(
        1,
      )
      expect(new Set(receiver.deliveries.map(({ signature }) => signature)).size).toBe(6)
      expect(receiver.deliveries.every(({ verified }) => verified)).toBe(true)
      expect(await log(world, id)).toMatchObject([
        { status: 'failed', attempts: 6, note: null, next_attempt_at: null },
      ])
    })
  }),
  shows('DLV-06', 'cancels the pending deliveries of a deleted response', async (world) => {
    await withHook(world, { script: always('500') }, async ({ receiver, id }) => {
      const response = await submit(world)
      await advance(world, 0)
      await world.api('DELETE', `/forms/${FORM}/responses/${response}`)
      await advance(world, '15h')
      expect(receiver.deliveries).toHaveLength(1)
      const [delivery] = await log(world, id)
      const note = 'The response was deleted before this delivery reached its receiver.'
      expect(delivery).toMatchObject({ status: 'failed', note, payload: {}, next_attempt_at: null })
      expect((await world.app('GET', `/deliveries/${delivery.id}`)).json.data.raw_body).toBeNull()
      expect((await world.app('POST', `/deliveries/${delivery.id}/replay`)).status).toBe(422)
    })
  }),
  shows('DLV-07', 'lists the latest 50 deliveries with every documented field', async (world) => {
    await withHook(world, { script: [{ status: 503, body: 'é'.repeat(301) }] }, async ({ receiver, id }) => {
      const first = await submit(world)
      await advance(world, 0)
      expect(await log(world, id)).toEqual([
        {
          id: receiver.deliveries[0]?.id,
          event: 'response.submitted',
          status: 'pending',
          response_id: first,
          payload: receiver.deliveries[0]?.payload,
          http_status: 503,
          error: 'http_503',
          duration_ms: expect.any(Number),
          receiver_answer: 'é'.repeat(300),
          attempts: 1,
          earlier_errors: [],
          next_attempt_at: '2026-03-02T12:01:00.000Z',
          note: null,
          created_at: '2026-03-02T12:00:00.000Z',
          form_id: FORM,
          webhook_id: id,
        },
      ])
      const later: number[] = []
      for (let count = 0; count < 50; count += 1) later.push(await submit(world))
      await advance(world, 0)
      const shown = (await log(world, id)).map((delivery: { response_id: number }) => delivery.response_id)
      expect(shown).toEqual(later.reverse())
    })
  }),
  shows('DLV-08', 'replays a delivery as a copy with a new id', async (world) => {
    await withHook(world, {}, async ({ receiver, id }) => {
      await submit(world)
      await advance(world, '1m')
      const [original] = await log(world, id)
      const { status, json } = await world.app('POST', `/deliveries/${original.id}/replay`)
      expect(status).toBe(201)
      await advance(world, 0)
      expect((await log(world, id)).map((delivery: { id: string }) => delivery.id)).toEqual([
        json.data.id,
        original.id,
      ])
      expect(receiver.deliveries[1]?.rawBody).toEqual(receiver.deliveries[0]?.rawBody)
      expect(receiver.deliveries[1]?.id).toBe(json.data.id)
    })
  }),
  shows('DLV-09', 'deletes finished deliveries after 30 days', async (world) => {
    await withHook(world, {}, async ({ id }) => {
      await submit(world)
      await advance(world, '30d')
      const [delivery] = await log(world, id)
      expect(delivery.status).toBe('delivered')
      await advance(world, 1)
      expect(await log(world, id)).toEqual([])
      expect((await world.app('GET', `/deliveries/${delivery.id}`)).status).toBe(404)
    })
  }),
  shows('HOOK-03', 'deletes the log and the pending deliveries of a deleted endpoint', async (world) => {
    await withHook(world, { script: always('500') }, async ({ receiver, id }) => {
      await submit(world)
      await advance(world, 0)
      const [delivery] = await log(world, id)
      await world.api('DELETE', `/forms/${FORM}/webhooks/${id}`)
      await advance(world, '15h')
      expect(receiver.deliveries).toHaveLength(1)
      expect((await world.app('GET', `/deliveries/${delivery.id}`)).status).toBe(404)
    })
  }),
  shows(
    'HOOK-07',
    'sends nothing to a paused endpoint and fails its pending deliveries with a note',
    async (world) => {
      await withHook(world, { script: ['500'] }, async ({ receiver, id }) => {
        await submit(world, 'waits')
        await advance(world, 0)
        expect((await act(world, id, 'pause')).json.data.active).toBe(false)
        await submit(world, 'while paused')
        expect((await act(world, id, 'test')).status).toBe(422)
        const [delivery] = await log(world, id)
        expect((await world.app('POST', `/deliveries/${delivery.id}/replay`)).status).toBe(422)
        await advance(world, '15h')
        expect(await log(world, id)).toMatchObject([{ status: 'failed', attempts: 1, note: PAUSED }])
        expect((await act(world, id, 'resume')).json.data.active).toBe(true)
        await submit(world, 'after')
        await advance(world, 0)
        const names = receiver.deliveries.map(({ payload }) => payload?.response.answers[0]?.value)
        expect(names).toEqual(['waits', 'after'])
      })
    },
  ),
  shows(
    'HOOK-08',
    'signs pending deliveries with the new secret immediately after a rotation',
    async (world) => {
      await withHook(world, { script: ['500'] }, async ({ receiver, id, secret }) => {
        await submit(world)
        await advance(world, 0)
        const { status, json } = await act(world, id, 'rotate-secret')
        expect([status, Object.keys(json.data)]).toEqual([200, ['id', 'secret']])
        receiver.secrets = [secret, json.data.secret]
        await advance(world, '1m')
        expect(receiver.deliveries.map(({ secretIndex }) => secretIndex)).toEqual([0, 1])
      })
    },
  ),
]
