import { setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { propertyRuns } from '../../../../test/support/cases.ts'
import { State } from '../../src/store/state.ts'
import { UNSPECIFIED } from '../../src/unspecified.ts'
import { createBench, type StateDump } from './engine-bench.ts'
import { DeliveryModel, type ModelChoice } from './model.ts'
import { START } from './world.ts'

const RUNS = propertyRuns(15, 30)

/** Responses submitted at once, so that more deliveries are queued than the window of an endpoint lets run. */
const BURST = 14

type Command =
  | { do: 'submit' | 'burst' | 'trash' | 'add' | 'fork' | 'save' | 'restore' }
  | {
      do:
        | ('answer' | 'test' | 'pause' | 'resume' | 'rotate' | 'delete' | 'deleteResponse')
        | ('replay' | 'retry' | 'cancel')
      which: number
    }
  | { do: 'advance' | 'jump'; by: number }
  | { do: 'rename'; title: string }

const which = fc.nat(30)
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 6, arbitrary: fc.constant({ do: 'submit' as const }) },
  { weight: 2, arbitrary: fc.constant({ do: 'burst' as const }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('advance' as const),
      by: fc.constantFrom(0, 1, 30_000, 60_000, 360_000, 7_200_000, 50_400_000),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('answer' as const), which }) },
  {
    weight: 1,
    arbitrary: fc.oneof(
      fc.record({ do: fc.constant('jump' as const), by: fc.constantFrom(1, 30_000, 90_000) }),
      fc.record({ do: fc.constant('rename' as const), title: fc.constantFrom('F', 'G', 'H') }),
    ),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('replay' as const), which }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('retry' as const, 'cancel' as const), which }) },
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

const choice: fc.Arbitrary<ModelChoice> = fc.record({
  retryDelayFrom: fc.constantFrom(...UNSPECIFIED.retryDelayFrom),
  retriedBody: fc.constantFrom(...UNSPECIFIED.retriedBody),
  attemptInFlightAtPause: fc.constantFrom(...UNSPECIFIED.attemptInFlightAtPause),
})

async function run(commands: readonly Command[], unspecified: ModelChoice, salt: number): Promise<void> {
  const answers = (responseId: number, attempt: number) => (responseId * 5 + attempt * 3 + salt) % 4 === 0
  const bench = createBench(answers, { unspecified })
  const model = new DeliveryModel(START, unspecified, answers)
  /** Delivery ids by the model's numbers, in the order of creation. */
  const ids: string[] = []
  const responses: number[] = []
  let saved: { dump: StateDump; model: DeliveryModel; ids: number; responses: number[] } | undefined

  const add = async () => {
    const { id, secret } = await bench.webhooks.create(bench.formId, { url: 'http://127.0.0.1:9/' })
    bench.secrets.push(secret)
    model.add(id)
  }
  const submit = () => {
    const { id } = bench.responses.create(bench.formId, { deliver: true })
    responses.push(id)
    model.submit(id)
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
  await add()
  await add()
  for (const one of commands) {
    const endpoints = [...model.endpoints.keys()]
    const endpoint =
      'which' in one && endpoints.length > 0 ? endpoints[one.which % endpoints.length]! : undefined
    switch (one.do) {
      case 'submit':
        submit()
        break
      case 'burst':
        for (let count = 0; count < BURST; count += 1) submit()
        break
      case 'add':
        if (endpoints.length < 4) await add()
        break
      case 'advance':
        bench.release()
        await bench.clock.advance(one.by)
        bench.hold()
        model.advance(one.by)
        break
      case 'jump':
        bench.clock.set(bench.clock.now() + one.by)
        model.jump(one.by)
        break
      case 'rename':
        bench.forms.update(bench.formId, { title: one.title })
        model.title = one.title
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
      case 'replay':
      case 'retry':
      case 'cancel': {
        const { do: verb } = one
        const pending = model.deliveries.filter(({ status }) => status === 'pending')
        const among = verb === 'replay' || pending.length === 0 ? model.deliveries : pending
        const number = among[one.which % Math.max(1, among.length)]?.number
        if (number === undefined) break
        const real = accepted(() => bench.deliveries[verb](ids[number - 1]!))
        expect(real).toBe(model[verb](number))
        break
      }
      default:
        if (endpoint === undefined) break
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

const dumpOf = ({ context }: ReturnType<typeof createBench>): StateDump =>
  JSON.parse(JSON.stringify(context.state.fork().dump()))

function compare(bench: ReturnType<typeof createBench>, model: DeliveryModel, ids: readonly string[]): void {
  expect(bench.clock.now()).toBe(model.now)
  const kept = ids
    .filter((id) => bench.context.state.deliveries.find(id, model.now))
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
      title: (entry.payload.form as { title: string } | undefined)?.title,
    }))
    const wanted = model.deliveries
      .filter((one) => one.endpoint === endpoint)
      .map(({ number, responseId, status, attempts, nextAt, note, blank, title }) => ({
        number,
        responseId,
        status,
        attempts,
        nextAt,
        note,
        title: blank ? undefined : title,
      }))
      .reverse()
      .slice(0, 50)
    expect(real).toEqual(wanted)
  }
  const byTime = (a: { at: number; number: number }, b: { at: number; number: number }) =>
    a.at - b.at || a.number - b.number
  expect(
    bench.requests
      .map(({ id, secret, title, at }) => ({
        number: ids.indexOf(id) + 1,
        secret: bench.secrets.indexOf(secret) + 1,
        title,
        at,
      }))
      .sort(byTime),
  ).toEqual([...model.requests].sort(byTime))
}

describe('the engine', () => {
  it('[DLV-06][DLV-08][HOOK-03][HOOK-07][HOOK-08] agrees with a simple model under any sequence of commands', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(command, { minLength: 1, maxLength: 30, size: 'max' }),
        choice,
        fc.nat(3),
        run,
      ),
      { numRuns: RUNS },
    )
  })
})
