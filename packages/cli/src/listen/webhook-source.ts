import type { WebhookEndpoint } from '@formwire/contract'
import type { Context } from '../context.ts'
import { Failure } from '../failure.ts'
import { portFailure } from '../input/port.ts'
import { deleteLeftBehind, nameOthers, temporaryPath } from './left-behind.ts'
import { Listener } from './listener.ts'
import type { ListenOptions } from './options.ts'
import { Receiver } from './receiver.ts'
import { SenderLog } from './sender-log.ts'
import type { DeliverySource, SourceParts } from './source.ts'
import { TemporaryEndpoints } from './temporary-endpoint.ts'

/** Milliseconds to finish requests in flight on exit; shorter than the service's timeout. */
const CLOSE_GRACE_MS = 2_000

/** Starts the receiver and creates an endpoint per form. */
export async function openWebhooks(
  context: Context,
  options: ListenOptions,
  parts: SourceParts,
): Promise<DeliverySource> {
  const { runtime, output } = context
  const { handler, session, onDelivery } = parts
  const forms = options.form ?? []
  const client = forms.length === 0 ? undefined : await context.client()
  const log = new SenderLog(await optionalControl(context, options), runtime.clock)
  const secrets = deferred<readonly string[]>()
  const listener = new Listener({
    context,
    secrets: () => secrets.promise,
    handler,
    respond: options.respond ?? [],
    recordDir: options.record,
    log,
    onReceived: (received, delivery) => onDelivery(received, delivery, true),
  })
  const receiver = new Receiver(
    (delivery) => listener.handle(delivery),
    (reason) => output.announce('refused', `refused ${reason}`),
  )
  context.onExit(() => receiver.close(CLOSE_GRACE_MS))
  const url = await bind(receiver, options.port ?? 0)

  const ofEndpoints: string[] = []
  let endpoints: TemporaryEndpoints | undefined
  if (client) {
    const lists = new Map<string, readonly WebhookEndpoint[]>()
    for (const formId of forms) lists.set(formId, (await client.webhooks.list(formId)).data)
    await deleteLeftBehind(context, client, lists)
    const { publicUrl } = options
    if (publicUrl !== undefined) nameOthers(context, publicUrl, lists)
    endpoints = new TemporaryEndpoints(context, client)
    const registered = publicUrl ?? url + temporaryPath(runtime)
    for (const formId of forms) {
      const endpoint = await endpoints.create(
        formId,
        registered,
        lists.get(formId) ?? [],
        publicUrl !== undefined,
      )
      log.calibrate(endpoint.created_at)
      ofEndpoints.push(endpoint.secret)
      output.note(`created temporary endpoint ${endpoint.id} on form ${formId}; it is deleted on exit`)
    }
  }
  const verifiedWith = session.endpoint === undefined ? ofEndpoints : [session.endpoint]
  secrets.resolve(verifiedWith)
  return {
    handlerSecret: session.signWith ?? verifiedWith[0] ?? '',
    title: `listening on ${url}`,
    now: log.senderClock.now,
    facts: { url, ...(forms.length === 0 ? {} : { forms }) },
    start: () => new Promise(() => undefined),
    release: async () => await endpoints?.deleteAll(),
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

async function bind(receiver: Receiver, port: number): Promise<string> {
  try {
    return await receiver.listen(port)
  } catch (error) {
    throw portFailure(error, port, '--port')
  }
}

function deferred<Value>(): { promise: Promise<Value>; resolve(value: Value): void } {
  let resolve: (value: Value) => void = () => undefined
  const promise = new Promise<Value>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
