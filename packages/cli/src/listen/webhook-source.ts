import { DELIVERY_HEADERS, type WebhookEndpoint } from '@formwire/contract'
import type { Context } from '../context.ts'
import type { DeliveryDetails } from '../control/delivery.ts'
import { Failure } from '../failure.ts'
import { portFailure } from '../input/port.ts'
import { type HandledDelivery, headerValue, type RawDelivery } from './delivery.ts'
import { type Forwarded, handled } from './handler.ts'
import type { ListenOptions } from './options.ts'
import { isAccepted, type ReceivedDelivery, receivedDelivery } from './received-delivery.ts'
import { Receiver, type ReceiverResponse } from './receiver.ts'
import { tryRecord } from './recording.ts'
import type { SessionSecret } from './secret.ts'
import { SenderLog } from './sender-log.ts'
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
  let begin: (handle: ReturnType<typeof deliveryHandler>) => void = () => undefined
  // Requests that arrive before the run has started wait for it.
  const started = new Promise<ReturnType<typeof deliveryHandler>>((resolve) => {
    begin = resolve
  })
  const receiver = new Receiver(
    async (delivery) => await (await started)(delivery),
    (reason) => output.announce('refused', `refused ${reason}`),
  )
  context.onExit(() => receiver.close())
  const url = await receiver.listen(port).catch((error: unknown) => {
    throw portFailure(error, port, '--port')
  })
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
