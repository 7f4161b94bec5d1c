import { createHmac } from 'node:crypto'
import { expect } from 'vitest'
import { createMockReceiver, type MockReceiver, type MockReceiverOptions } from '../../src/receiver/index.ts'
import { shows } from './case.ts'
import { FORM } from './seed.ts'
import type { World } from './world.ts'

/** Seconds of the instant at which every case begins. */
const BEGIN = 1_772_452_800
const PAUSED = 'The endpoint is paused. Resume it and replay this delivery.'
const always = (step: string) => Array<string>(40).fill(step)

interface Hook {
  readonly receiver: MockReceiver
  readonly id: number
  readonly secret: string
}

/** Runs a case with a receiver that is registered through the API. */
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
    'DLV-01 DLV-03 DLV-04',
    'a submission is sent at once, signed, to an endpoint that was there',
    async (world) => {
      await submit(world, 'too early')
      await withHook(world, {}, async ({ receiver, secret }) => {
        const id = await submit(world, 'Ada')
        const [delivery] = await receiver.waitFor(1)
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
            meta: expect.any(Object),
          },
        })
        const signed = Buffer.concat([Buffer.from(`${BEGIN}.`), delivery?.rawBody ?? Buffer.alloc(0)])
        expect(delivery?.headers).toMatchObject({
          'x-service-event': 'response.submitted',
          'x-service-delivery': expect.stringMatching(/^\S+$/),
          'x-service-timestamp': String(BEGIN),
          'x-service-signature': `sha256=${createHmac('sha256', secret).update(signed).digest('hex')}`,
        })
      })
    },
  ),
  shows('DLV-01', 'a draft sends nothing before it is submitted', async (world) => {
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
  shows('DLV-02', 'a test event has one example answer and response id 0', async (world) => {
    await withHook(world, {}, async ({ receiver, id }) => {
      expect((await act(world, id, 'test')).status).toBe(201)
      await advance(world, 0)
      expect(receiver.deliveries[0]?.event).toBe('test.ping')
      expect(receiver.deliveries[0]?.payload).toMatchObject({ event: 'test.ping', response: { id: 0 } })
      expect(receiver.deliveries[0]?.payload?.response.answers).toHaveLength(1)
    })
  }),
  shows('DLV-05', 'any 2xx is a success, all else fails and no redirect is followed', async (world) => {
    const script = ['302', '404', 'reset', 'garbage', '500', '204']
    await withHook(world, { script }, async ({ receiver, id }) => {
      await submit(world)
      await advance(world, '15h')
      expect(receiver.deliveries.map(({ path }) => path)).toEqual(Array(6).fill('/'))
      const [entry] = await log(world, id)
      expect([entry.status, entry.attempts, entry.http_status]).toEqual(['delivered', 6, 204])
      const { attempts } = (await world.app('GET', `/deliveries/${entry.id}`)).json.data
      expect(attempts.map(({ error }: { error: string }) => error)).toEqual([
        'http_302',
        'http_404',
        'reset',
        'protocol',
        'http_500',
        null,
      ])
    })
  }),
  shows(
    'DLV-05 DLV-11',
    'a receiver that hangs is cut off at the deadline and delays no request',
    async (world) => {
      await withHook(world, { script: ['timeout', 'hang-body'] }, async ({ receiver, id }) => {
        await submit(world)
        await receiver.waitFor(1)
        expect((await world.api('GET', '/me')).status).toBe(200)
        await advance(world, '1m')
        const [entry] = await log(world, id)
        expect([entry.status, entry.receiver_answer]).toEqual(['delivered', 'and then'])
      })
    },
    { options: { deliveryTimeoutMs: 800 } },
  ),
  shows('DLV-06', 'six attempts on the schedule, one id and body, then it has failed', async (world) => {
    await withHook(world, { script: always('500') }, async ({ receiver, id }) => {
      await submit(world)
      await advance(world, '15h')
      expect(offsets(receiver)).toEqual([0, 60, 360, 2_160, 9_360, 52_560])
      expect(new Set(receiver.deliveries.map((one) => `${one.id} ${one.rawBody.toString('hex')}`)).size).toBe(
        1,
      )
      expect(receiver.deliveries.every(({ verified }) => verified)).toBe(true)
      expect(await log(world, id)).toMatchObject([
        { status: 'failed', attempts: 6, note: null, next_attempt_at: null },
      ])
    })
  }),
  shows('DLV-06', 'a deleted response takes its waiting deliveries with it', async (world) => {
    await withHook(world, { script: always('500') }, async ({ receiver, id }) => {
      const response = await submit(world)
      await advance(world, 0)
      await world.api('DELETE', `/forms/${FORM}/responses/${response}`)
      await advance(world, '15h')
      expect(receiver.deliveries).toHaveLength(1)
      expect(await log(world, id)).toMatchObject([{ status: 'failed', payload: {} }])
    })
  }),
  shows(
    'DLV-06',
    'a deleted response goes on being sent where a deployment says so',
    async (world) => {
      await withHook(world, { script: ['500'] }, async ({ receiver, id }) => {
        const response = await submit(world)
        await advance(world, 0)
        await world.api('DELETE', `/forms/${FORM}/responses/${response}`)
        await advance(world, '15h')
        expect(receiver.deliveries).toHaveLength(2)
        expect(await log(world, id)).toMatchObject([{ status: 'delivered' }])
      })
    },
    { options: { unspecified: { deletedResponseDeliveries: 'kept' } } },
  ),
  shows('DLV-07', 'the log shows the latest 50 as documented', async (world) => {
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
          receiver_answer: 'é'.repeat(300),
          attempts: 1,
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
      const shown = (await log(world, id)).map((entry: { response_id: number }) => entry.response_id)
      expect(shown).toEqual(later.reverse())
    })
  }),
  shows('DLV-08', 'a replay is a copy with an id of its own', async (world) => {
    await withHook(world, {}, async ({ receiver, id }) => {
      await submit(world)
      await advance(world, '1m')
      const [original] = await log(world, id)
      const { status, json } = await world.app('POST', `/deliveries/${original.id}/replay`)
      expect(status).toBe(201)
      await advance(world, 0)
      expect((await log(world, id)).map((entry: { id: string }) => entry.id)).toEqual([
        json.data.id,
        original.id,
      ])
      expect(receiver.deliveries[1]?.rawBody).toEqual(receiver.deliveries[0]?.rawBody)
      expect(receiver.deliveries[1]?.id).toBe(json.data.id)
    })
  }),
  shows('DLV-09', 'finished entries older than 30 days are deleted', async (world) => {
    await withHook(world, {}, async ({ id }) => {
      await submit(world)
      await advance(world, '30d')
      const [entry] = await log(world, id)
      expect(entry.status).toBe('delivered')
      await advance(world, 1)
      expect(await log(world, id)).toEqual([])
      expect((await world.app('GET', `/deliveries/${entry.id}`)).status).toBe(404)
    })
  }),
  shows('HOOK-03', 'a deleted endpoint takes its log and its waiting attempts with it', async (world) => {
    await withHook(world, { script: always('500') }, async ({ receiver, id }) => {
      await submit(world)
      await advance(world, 0)
      const [entry] = await log(world, id)
      await world.api('DELETE', `/forms/${FORM}/webhooks/${id}`)
      await advance(world, '15h')
      expect(receiver.deliveries).toHaveLength(1)
      expect((await world.app('GET', `/deliveries/${entry.id}`)).status).toBe(404)
    })
  }),
  shows(
    'HOOK-05',
    'the address rules hold again at every attempt',
    async (world) => {
      const receiver = await createMockReceiver().listen()
      try {
        const url = `http://moves.example.com:${new URL(receiver.url).port}/`
        const { json } = await world.api('POST', `/forms/${FORM}/webhooks`, { json: { url } })
        moves.to = ['127.0.0.1', '10.0.0.1']
        await submit(world)
        await advance(world, 0)
        const [entry] = await log(world, json.data.id)
        const { attempts } = (await world.app('GET', `/deliveries/${entry.id}`)).json.data
        expect(attempts[0]).toMatchObject({
          error: 'address_refused',
          http_status: null,
          receiver_answer: null,
        })
        expect(receiver.deliveries).toEqual([])
      } finally {
        moves.to = ['127.0.0.1']
        await receiver.close()
      }
    },
    { options: { dns: async () => moves.to } },
  ),
  shows('HOOK-07', 'a paused endpoint is sent nothing; what waited fails with a note', async (world) => {
    await withHook(world, { script: ['500'] }, async ({ receiver, id }) => {
      await submit(world, 'waits')
      await advance(world, 0)
      expect((await act(world, id, 'pause')).json.data.active).toBe(false)
      await submit(world, 'while paused')
      expect((await act(world, id, 'test')).status).toBe(422)
      const [entry] = await log(world, id)
      expect((await world.app('POST', `/deliveries/${entry.id}/replay`)).status).toBe(422)
      await advance(world, '15h')
      expect(await log(world, id)).toMatchObject([{ status: 'failed', attempts: 1, note: PAUSED }])
      expect((await act(world, id, 'resume')).json.data.active).toBe(true)
      await submit(world, 'after')
      await advance(world, 0)
      const names = receiver.deliveries.map(({ payload }) => payload?.response.answers[0]?.value)
      expect(names).toEqual(['waits', 'after'])
    })
  }),
  shows('HOOK-08', 'a new secret signs what waits, and the old one is invalid at once', async (world) => {
    await withHook(world, { script: ['500'] }, async ({ receiver, id, secret }) => {
      await submit(world)
      await advance(world, 0)
      const { status, json } = await act(world, id, 'rotate-secret')
      expect([status, Object.keys(json.data)]).toEqual([200, ['id', 'secret']])
      receiver.secrets = [secret, json.data.secret]
      await advance(world, '1m')
      expect(receiver.deliveries.map(({ secretIndex }) => secretIndex)).toEqual([0, 1])
    })
  }),
]

/** Where the name of HOOK-05 leads. */
const moves = { to: ['127.0.0.1'] }
