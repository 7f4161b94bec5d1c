import { EventEmitter } from 'node:events'
import { signatureHeader } from '@formwire/webhook-verify'
import { ManualClock } from '../../src/clock/index.ts'
import type { Context } from '../../src/context.ts'
import { DeliveryEngine, type DeliveryService, DeliveryStream } from '../../src/delivery/index.ts'
import type { AttemptRequest, AttemptResult } from '../../src/delivery/sender.ts'
import type { DeliveryRecord } from '../../src/domain/delivery.ts'
import { resolveSettings } from '../../src/options.ts'
import { ByteBudget } from '../../src/policy/byte-budget.ts'
import { seededRandom } from '../../src/random.ts'
import { createDeliveries } from '../../src/services/deliveries.ts'
import { createEndpoints } from '../../src/services/endpoints.ts'
import { createForms } from '../../src/services/forms.ts'
import { createResponses } from '../../src/services/responses.ts'
import { State } from '../../src/store/state.ts'
import type { Unspecified } from '../../src/unspecified.ts'
import { START } from './world.ts'

export type StateDump = ReturnType<State['dump']>

/** The engine with everything around it but sockets: attempts stay in flight until they are let go. */
export function createBench(
  answers: (responseId: number, attempt: number) => boolean,
  {
    elapsed = () => 0,
    unspecified = {},
  }: { elapsed?: () => number; unspecified?: Partial<Unspecified> } = {},
) {
  const clock = new ManualClock(START)
  const changes: DeliveryRecord[] = []
  const requests: { id: string; secret: string; title: string; at: number }[] = []
  const held: { id: string; end: (answer?: AttemptResult) => void }[] = []
  const bench = { holding: true }
  const send = ({ headers, body }: AttemptRequest, done: (answer: AttemptResult) => void): void => {
    const header = (name: string) => headers[headers.indexOf(name) + 1]!
    const id = header('x-service-delivery')
    const before = context.state.deliveries.find(id, clock.now())
    const attempt = before!.attempts.length + 1
    const timestamp = Number(header('x-service-timestamp'))
    const secret = secrets.find(
      (one) => signatureHeader(one, timestamp, body) === header('x-service-signature'),
    )
    const { form, response } = JSON.parse(Buffer.from(body).toString())
    requests.push({ id, secret: String(secret), title: form.title, at: clock.now() })
    const httpStatus = answers(response.id, attempt) ? 200 : 500
    const answer: AttemptResult = {
      httpStatus,
      error: httpStatus === 200 ? null : 'http_500',
      receiverAnswer: '',
    }
    if (bench.holding) held.push({ id, end: (other = answer) => done(other) })
    else setImmediate(done, answer)
  }
  const secrets: string[] = []
  const context: Context = {
    settings: resolveSettings({ limits: 'off', unspecified }),
    clock,
    random: seededRandom(7),
    state: new State(),
    bodyBudgets: { withFiles: new ByteBudget(0), withoutFiles: new ByteBudget(0) },
    events: new EventEmitter(),
  }
  const abandonAll = () => {
    for (const { end } of held.splice(0)) end({ httpStatus: null, error: 'reset', receiverAnswer: null })
  }
  const sender = { send, abandonAll, close: async () => {} }
  const engine = new DeliveryEngine({
    context,
    sender,
    elapsed,
    onChange: (delivery) => changes.push(delivery),
  })
  const stream = new DeliveryStream({ epoch: 'e', write: () => '' })
  const addresses = { rules: 'development' as const, hostOverrides: new Map(), resolve: async () => [] }
  const service: DeliveryService = {
    engine,
    stream,
    beforeRead: () => {},
    addresses,
    reset: () => engine.reset(),
    close: async () => {},
  }
  context.state.people.workspaces.put({ id: 1, name: 'W', plan: 'business', createdAt: START })
  const forms = createForms(context, () => ({ workspaceId: 1, userId: 1 }))
  const form = forms.publish(forms.create({ title: 'F', questions: [] }).id)
  return {
    context,
    clock,
    engine,
    /** Every record that the engine wrote. */
    changes,
    requests,
    secrets,
    formId: form.id,
    forms,
    responses: createResponses(context),
    webhooks: createEndpoints(context, service),
    deliveries: createDeliveries(context, service),
    /** Lets everything in flight end, and whatever starts from now on. */
    release(): void {
      bench.holding = false
      for (const { end } of held.splice(0)) end()
    },
    /** Lets one of those in flight end. Gives its delivery id. */
    answerOne(which: number, answer?: AttemptResult): string | undefined {
      const [one] = held.length === 0 ? [] : held.splice(which % held.length, 1)
      one?.end(answer)
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
