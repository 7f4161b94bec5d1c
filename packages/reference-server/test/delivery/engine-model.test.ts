import { setImmediate as turn } from 'node:timers/promises'
import { signatureHeader } from '@formwire/webhook-verify'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createDeliveries } from '../../src/app/deliveries.ts'
import { createForms } from '../../src/app/forms.ts'
import { createResponses } from '../../src/app/responses.ts'
import { createWebhooks } from '../../src/app/webhooks.ts'
import { ManualClock } from '../../src/clock.ts'
import type { Context } from '../../src/context.ts'
import { DeliveryEngine, type DeliveryService, DeliveryStream } from '../../src/delivery/index.ts'
import type { AttemptAnswer, AttemptRequest } from '../../src/delivery/sender.ts'
import { settle } from '../../src/options.ts'
import { seededRandom } from '../../src/random.ts'
import { State } from '../../src/store/state.ts'
import { DeliveryModel } from './model.ts'
import { START } from './world.ts'

const RUNS = Number(process.env.FORMWIRE_PROPERTY_RUNS ?? 60)

/** Deliveries of one endpoint that may wait at a time: within the window, so that each starts when it is due. */
const WAITING_MAX = 8

type Command =
  | { do: 'submit' | 'trash' | 'add' | 'fork' | 'save' | 'restore' }
  | {
      do: 'answer' | 'test' | 'pause' | 'resume' | 'rotate' | 'delete' | 'replay' | 'deleteResponse'
      which: number
    }
  | { do: 'advance'; by: number }

const which = fc.nat(30)
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 6, arbitrary: fc.constant({ do: 'submit' as const }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('advance' as const),
      by: fc.constantFrom(0, 1, 30_000, 60_000, 360_000, 7_200_000, 50_400_000),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('answer' as const), which }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('replay' as const), which }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constantFrom('test' as const, 'pause' as const, 'rotate' as const, 'deleteResponse' as const),
      which,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('resume' as const), which }) },
  {
    weight: 1,
    arbitrary: fc.oneof(
      fc.record({ do: fc.constant('delete' as const), which }),
      fc.constant({ do: 'add' as const }),
      fc.constant({ do: 'fork' as const }),
      fc.constant({ do: 'trash' as const }),
      fc.constantFrom({ do: 'save' as const }, { do: 'restore' as const }),
    ),
  },
)

/** The engine with everything around it but sockets: attempts stay in flight until they are let go. */
function createBench(answers: (responseId: number, attempt: number) => boolean) {
  const clock = new ManualClock(START)
  const requests: { id: string; secret: string; at: number }[] = []
  const held: { id: string; end: (answer?: AttemptAnswer) => void }[] = []
  const bench = { holding: true }
  const send = ({ headers, body }: AttemptRequest, done: (answer: AttemptAnswer) => void): void => {
    const header = (name: string) => headers[headers.indexOf(name) + 1]!
    const id = header('x-service-delivery')
    const before = context.state.deliveries.get(id, clock.now())
    const attempt = before!.attempts.length + 1
    const timestamp = Number(header('x-service-timestamp'))
    const secret = secrets.find(
      (one) => signatureHeader(one, timestamp, body) === header('x-service-signature'),
    )
    requests.push({ id, secret: String(secret), at: clock.now() })
    const { response } = JSON.parse(Buffer.from(body).toString())
    const httpStatus = answers(response.id, attempt) ? 200 : 500
    const answer: AttemptAnswer = {
      httpStatus,
      error: httpStatus === 200 ? null : 'http_500',
      receiverAnswer: '',
    }
    if (bench.holding) held.push({ id, end: (other = answer) => done(other) })
    else setImmediate(done, answer)
  }
  const secrets: string[] = []
  const context: Context = {
    settings: settle({ limits: 'off' }),
    clock,
    random: seededRandom(7),
    state: new State(),
    publish: (event) => engine.publish(event),
  }
  const abandonAll = () => {
    for (const { end } of held.splice(0)) end({ httpStatus: null, error: 'reset', receiverAnswer: null })
  }
  const sender = { send, abandonAll, close: async () => {} }
  const engine = new DeliveryEngine({ context, sender, elapsed: () => 0, onChange: () => {} })
  const stream = new DeliveryStream({ epoch: 'e', write: () => '' })
  const addresses = { rules: 'development' as const, routes: new Map(), resolve: async () => [] }
  const service: DeliveryService = {
    engine,
    stream,
    addresses,
    reset: () => engine.reset(),
    close: async () => {},
  }
  context.state.people.putWorkspace({ id: 1, name: 'W', plan: 'business', createdAt: START })
  const forms = createForms(context, () => ({ workspaceId: 1, userId: 1 }))
  const form = forms.publish(forms.create({ title: 'F', questions: [] }).id)
  return {
    context,
    clock,
    requests,
    secrets,
    formId: form.id,
    forms,
    responses: createResponses(context),
    webhooks: createWebhooks(context, service),
    deliveries: createDeliveries(context, service),
    /** Lets everything in flight end, and whatever starts from now on. */
    release(): void {
      bench.holding = false
      for (const { end } of held.splice(0)) end()
    },
    /** Lets one of those in flight end. Gives its delivery id. */
    answerOne(which: number): string | undefined {
      const [one] = held.length === 0 ? [] : held.splice(which % held.length, 1)
      one?.end()
      return one?.id
    },
    /** Puts a state in place of the one there is, as a snapshot does, whatever is in flight. */
    replaceState(dump: StateDump, now: number): void {
      clock.set(now)
      context.state = State.load(dump, context.settings.unspecified)
      engine.reset()
    },
    hold(): void {
      bench.holding = true
    },
  }
}

async function run(commands: readonly Command[], salt: number): Promise<void> {
  const answers = (responseId: number, attempt: number) => (responseId * 5 + attempt * 3 + salt) % 4 === 0
  const bench = createBench(answers)
  const model = new DeliveryModel(START, answers)
  /** Delivery ids by the model's numbers, in the order of creation. */
  const ids: string[] = []
  const responses: number[] = []
  let saved: { dump: StateDump; model: DeliveryModel; ids: number; responses: number[] } | undefined

  const add = async () => {
    const { id, secret } = await bench.webhooks.create(bench.formId, { url: 'http://127.0.0.1:9/' })
    bench.secrets.push(secret)
    model.add(id)
  }
  const learnIds = () => {
    const known = new Set(ids)
    const records = bench.context.state.deliveries.dump().deliveries
    for (const { id } of records) if (!known.has(id)) ids.push(id)
  }
  const accepted = (act: () => unknown): boolean => {
    try {
      act()
      return true
    } catch {
      return false
    }
  }
  const crowded = (): boolean =>
    [...model.endpoints.keys()].some(
      (endpoint) =>
        model.deliveries.filter((one) => one.endpoint === endpoint && one.status === 'pending').length >=
        WAITING_MAX,
    )

  await add()
  await add()
  for (const one of commands) {
    const endpoints = [...model.endpoints.keys()]
    const endpoint =
      'which' in one && endpoints.length > 0 ? endpoints[one.which % endpoints.length]! : undefined
    switch (one.do) {
      case 'submit': {
        if (crowded()) break
        const { id } = bench.responses.create(bench.formId, { deliver: true })
        responses.push(id)
        model.submit(id)
        break
      }
      case 'add':
        if (endpoints.length < 4) await add()
        break
      case 'advance':
        bench.release()
        await bench.clock.advance(one.by)
        bench.hold()
        model.advance(one.by)
        break
      case 'trash':
        bench.forms.trash(bench.formId)
        model.trash()
        bench.forms.restore(bench.formId)
        break
      case 'fork':
        // Nothing in flight: what is, is sent once more by the copy.
        bench.release()
        await bench.clock.advance(0)
        bench.hold()
        model.land()
        bench.context.state = State.load(dumpOf(bench), bench.context.settings.unspecified)
        break
      case 'answer': {
        const id = bench.answerOne(one.which)
        if (id !== undefined) model.landOne(ids.indexOf(id) + 1)
        break
      }
      case 'save':
        saved = { dump: dumpOf(bench), model: model.copy(), ids: ids.length, responses: [...responses] }
        break
      case 'restore':
        if (!saved) break
        // Ids given since then are given again, to others: what was requested under them is over.
        bench.requests.length = 0
        model.requests.length = 0
        bench.replaceState(saved.dump, saved.model.now)
        model.restore(saved.model)
        ids.length = saved.ids
        responses.splice(0, responses.length, ...saved.responses)
        break
      case 'deleteResponse': {
        const response = responses[one.which % Math.max(1, responses.length)]
        if (response === undefined) break
        responses.splice(responses.indexOf(response), 1)
        bench.responses.delete(bench.formId, response)
        model.deleteResponse(response)
        break
      }
      case 'replay': {
        const number = ids.length === 0 ? 0 : (one.which % ids.length) + 1
        if (number === 0 || crowded()) break
        const real = accepted(() => bench.deliveries.replay(ids[number - 1]!))
        expect(real).toBe(model.replay(number))
        break
      }
      default:
        if (endpoint === undefined || (one.do === 'test' && crowded())) break
        if (one.do === 'test') {
          expect(accepted(() => bench.webhooks.test(bench.formId, endpoint))).toBe(model.test(endpoint))
        } else if (one.do === 'rotate') {
          bench.secrets.push(bench.webhooks.rotateSecret(bench.formId, endpoint).secret)
          model.rotate(endpoint)
        } else {
          bench.webhooks[one.do](bench.formId, endpoint)
          model[one.do](endpoint)
        }
    }
    learnIds()
    // The engine starts what is due in a later turn.
    await turn()
    await turn()
    compare(bench, model, ids)
  }
}

type StateDump = ReturnType<State['dump']>

const dumpOf = ({ context }: ReturnType<typeof createBench>): StateDump =>
  JSON.parse(JSON.stringify(context.state.fork().dump()))

function compare(bench: ReturnType<typeof createBench>, model: DeliveryModel, ids: readonly string[]): void {
  expect(bench.clock.now()).toBe(model.now)
  const kept = ids
    .filter((id) => bench.context.state.deliveries.get(id, model.now))
    .map((id) => ids.indexOf(id) + 1)
  expect(kept).toEqual(model.deliveries.map(({ number }) => number))
  for (const endpoint of model.endpoints.keys()) {
    const real = bench.deliveries.list(bench.formId, endpoint).map((entry) => ({
      number: ids.indexOf(entry.id) + 1,
      responseId: entry.response_id,
      status: entry.status,
      attempts: entry.attempts,
      nextAt: entry.next_attempt_at && Date.parse(entry.next_attempt_at),
      note: entry.note,
      blank: Object.keys(entry.payload).length === 0,
    }))
    const wanted = model.deliveries
      .filter((one) => one.endpoint === endpoint)
      .map(({ number, responseId, status, attempts, nextAt, note, blank }) => ({
        number,
        responseId,
        status,
        attempts,
        nextAt,
        note,
        blank,
      }))
      .reverse()
      .slice(0, 50)
    expect(real).toEqual(wanted)
  }
  const byTime = (a: { at: number; number: number }, b: { at: number; number: number }) =>
    a.at - b.at || a.number - b.number
  expect(
    bench.requests
      .map(({ id, secret, at }) => ({
        number: ids.indexOf(id) + 1,
        secret: bench.secrets.indexOf(secret) + 1,
        at,
      }))
      .sort(byTime),
  ).toEqual([...model.requests].sort(byTime))
}

describe('the engine', () => {
  it('[DLV-06][DLV-08][HOOK-03][HOOK-07][HOOK-08] agrees with a simple model under any sequence of commands', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 1, maxLength: 30, size: 'max' }), fc.nat(3), run),
      { numRuns: RUNS },
    )
  }, 120_000)
})
