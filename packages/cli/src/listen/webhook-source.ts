import { DELIVERY_HEADERS, type WebhookEndpoint } from '@formwire/contract'
import type { SleepClock } from '@formwire/internal/clock'
import type { Context } from '../context.ts'
import type { ControlClient, DeliveryDetails } from '../control/client.ts'
import { ServerClock } from '../control/server-clock.ts'
import { Failure } from '../failure.ts'
import { portFailure } from '../input/parse.ts'
import { outlasts } from '../interrupt.ts'
import { type HandledDelivery, headerValue, type RawDelivery } from './delivery.ts'
import { type Forwarded, handled } from './handler.ts'
import type { ListenOptions } from './listen-options.ts'
import { isAccepted, type ReceivedDelivery, receivedDelivery } from './received-delivery.ts'
import { type ReceiverResponse, startReceiver } from './receiver.ts'
import { tryRecord } from './recording.ts'
import type { SessionSecret } from './secret.ts'
import type { DeliverySource, Line } from './source.ts'
import { createTemporaryEndpoint, deleteLeftBehind, nameOthers, temporaryPath } from './temporary-endpoint.ts'
import { Verifier } from './verifier.ts'

/** Starts the receiver and creates an endpoint per form. */
export async function openWebhooks(
  context: Context,
  options: ListenOptions,
  session: SessionSecret,
): Promise<DeliverySource> {
  const { runtime, output } = context
  const { form: forms = [], port = 0, publicUrl } = options
  const client = forms.length === 0 ? undefined : await context.client()
  const log = new SenderLog(await optionalControl(context, options), runtime.clock)
  // Requests that arrive before the run has started wait for it.
  let begin: (handle: ReturnType<typeof deliveryHandler>) => void = () => undefined
  const started = new Promise<ReturnType<typeof deliveryHandler>>((resolve) => {
    begin = resolve
  })
  const { url, close } = await startReceiver(
    port,
    async (delivery) => await (await started)(delivery),
    (reason) => output.announce('refused', `refused ${reason}`),
  ).catch((error: unknown) => {
    throw portFailure(error, port, '--port')
  })
  context.onExit(close)
  const secrets: string[] = session.endpoint === undefined ? [] : [session.endpoint]
  const removals: (() => Promise<void>)[] = []
  if (client) {
    const lists = new Map<string, readonly WebhookEndpoint[]>()
    for (const formId of forms) lists.set(formId, (await client.webhooks.list(formId)).data)
    await deleteLeftBehind(context, client, lists)
    if (publicUrl !== undefined) nameOthers(context, publicUrl, lists)
    for (const [formId, known] of lists) {
      const given = {
        formId,
        url: publicUrl ?? url + temporaryPath(runtime),
        known,
        isPublic: publicUrl !== undefined,
      }
      const { endpoint, remove } = await createTemporaryEndpoint(context, client, given)
      removals.push(remove)
      log.calibrate(endpoint.created_at)
      secrets.push(endpoint.secret)
      output.note(`created temporary endpoint ${endpoint.id} on form ${formId}; it is deleted on exit`)
    }
  }
  return {
    handlerSecret: session.signWith ?? secrets[0] ?? '',
    title: `listening on ${url}`,
    now: log.senderClock.now,
    facts: { url, ...(forms.length === 0 ? {} : { forms }) },
    start(line) {
      begin(deliveryHandler(context, options, log, new Verifier(secrets), line))
      return new Promise(() => undefined)
    },
    async release() {
      for (const remove of removals.splice(0)) await remove()
    },
  }
}

/** Returns a control client if there is a token. Without --form, a missing base URL is not an error. */
async function optionalControl(context: Context, options: ListenOptions) {
  const token = options.adminToken ?? context.runtime.env.FORMWIRE_ADMIN_TOKEN
  if (!token) return undefined
  try {
    return await context.control(options.adminToken)
  } catch (error) {
    if (error instanceof Failure && error.code === 'usage' && options.form === undefined) return undefined
    throw error
  }
}

/** Returns what handles one request: it verifies the raw bytes, forwards, responds and reports. */
function deliveryHandler(
  context: Context,
  { record, respond = [] }: ListenOptions,
  log: SenderLog,
  verifier: Verifier,
  { handler, onDelivery }: Line,
): (delivery: RawDelivery) => Promise<ReceiverResponse> {
  let count = 0
  let scripted = 0
  /** Returns the response to a verified delivery: with `--respond` the statuses in turn, of which the last one repeats. */
  const responseTo = (forwarded: Forwarded | undefined): ReceiverResponse => {
    const status = respond[Math.min(scripted++, respond.length - 1)]
    if (status !== undefined) return { status, body: `formwire listen: --respond ${status}\n` }
    if (!forwarded) return { status: 200, body: 'received\n' }
    if (forwarded.status !== null) return forwarded
    return { status: 502, body: 'formwire listen: no response from the handler\n' }
  }
  /** Records and reports the delivery, once the log contains this attempt, so that the time of the next one is known. */
  const report = async (received: ReceivedDelivery, delivery: HandledDelivery): Promise<void> => {
    received.recorded = await tryRecord(context, record, delivery, received.received_at)
    const { attempt, delivery_id: id, answered } = received
    if (attempt !== null && id !== null && !isAccepted(answered)) {
      const after = await log.deliveryAfter(id, attempt)
      received.next_attempt_at = after?.next_attempt_at ?? null
    }
    onDelivery(received, delivery, true)
  }
  return async (delivery) => {
    const number = ++count
    const received_at = new Date(context.runtime.clock.now()).toISOString()
    const delivery_id = headerValue(delivery.rawHeaders, DELIVERY_HEADERS.delivery) ?? null
    // Read before responding: afterwards the log includes this attempt.
    const before = delivery_id === null ? undefined : await log.delivery(delivery_id)
    const { refusedWith, facts } = verifier.verify(delivery, await log.now(), bodyOf(before))
    const { form_id = null, problem } = facts
    const forwarded = refusedWith === undefined ? await handler.send(delivery, form_id) : undefined
    const response =
      refusedWith === undefined
        ? responseTo(forwarded)
        : { status: refusedWith, body: `${problem?.message ?? 'refused'}\n` }
    const { status: answered } = response
    const outcome =
      refusedWith === undefined ? handler.outcome(form_id, forwarded, { answered }) : { answered }
    const attempt = before ? attemptNumber(before) : null
    const received = receivedDelivery({ number, received_at, delivery_id, ...facts, ...outcome, attempt })
    // The response goes out first.
    setImmediate(() => void report(received, handled(delivery, forwarded)))
    return response
  }
}

/** Returns the number of the current attempt, whether or not the log already contains it. */
function attemptNumber({ attempts }: Pick<DeliveryDetails, 'attempts'>): number {
  return attempts.filter(({ http_status, error }) => http_status !== null || error !== null).length + 1
}

function bodyOf(logged: DeliveryDetails | undefined): Buffer | undefined {
  const body: unknown = logged?.raw_body
  return typeof body === 'string' ? Buffer.from(body) : undefined
}

/** Timeout of a request to the log, in milliseconds, so that it does not delay a delivery. */
const TIMEOUT_MS = 2_000
/** How often to poll the log for an attempt. */
const MAX_POLLS = 20
const POLL_INTERVAL_MS = 50

/** The sender's clock and delivery log. Both are optional: a failure here never fails a delivery. */
export class SenderLog {
  readonly #control: ControlClient | undefined
  readonly #clock: SleepClock
  /** The sender's clock. */
  readonly senderClock: ServerClock

  constructor(control: ControlClient | undefined, clock: SleepClock) {
    this.#control = control
    this.#clock = clock
    this.senderClock = new ServerClock(clock)
  }

  /** Estimates the offset of the sender's clock from a timestamp that the server has just generated. */
  calibrate(timestamp: string): void {
    const ahead = Date.parse(timestamp) - this.#clock.now()
    // Less than a minute may be latency or ordinary clock drift, which the tolerance covers.
    if (Math.abs(ahead) > 60_000) this.senderClock.set({ mode: 'real', now: timestamp })
  }

  /** Returns the sender's time in milliseconds: a reference server's clock if available, else an estimate. */
  async now(): Promise<number> {
    const state = await this.#read((control) => control.clock())
    if (state) this.senderClock.set(state)
    return this.senderClock.now()
  }

  /** Returns a delivery of the log; undefined if it is not available. */
  delivery(deliveryId: string): Promise<DeliveryDetails | undefined> {
    return this.#read((control) => control.delivery(deliveryId))
  }

  /** Returns the delivery once it contains the outcome of attempt `number`, which the server adds after our response. */
  async deliveryAfter(deliveryId: string, number: number): Promise<DeliveryDetails | undefined> {
    for (let polls = 0; this.#control && polls < MAX_POLLS; polls += 1) {
      const delivery = await this.delivery(deliveryId)
      const attempt = delivery?.attempts.find((one) => one.number === number)
      if (!delivery || (attempt && (attempt.http_status !== null || attempt.error !== null))) return delivery
      await this.#clock.sleep(POLL_INTERVAL_MS)
    }
    return undefined
  }

  async #read<Value>(read: (control: ControlClient) => Promise<Value>): Promise<Value | undefined> {
    if (!this.#control) return undefined
    const reading = read(this.#control).catch(() => undefined)
    return (await outlasts(reading, TIMEOUT_MS, this.#clock)) ? undefined : await reading
  }
}
