import { mkdirSync } from 'node:fs'
import type { Context } from '../context.ts'
import { EXIT, type ExitCode } from '../exit.ts'
import { Failure, usage } from '../failure.ts'
import { Listener } from './listener.ts'
import { parseMatch } from './match.ts'
import type { ListenOptions } from './options.ts'
import { Outcome } from './outcome.ts'
import { showPlainly } from './plain-view.ts'
import type { ReceivedDelivery } from './received-delivery.ts'
import { type RawDelivery, Receiver } from './receiver.ts'
import { readSecret } from './secret.ts'
import { SenderLog } from './sender-log.ts'
import { createTemporaryEndpoint } from './temporary-endpoint.ts'
import type { ListenView, OpenView } from './view.ts'

/** Milliseconds to finish requests in flight on exit; shorter than the service's timeout. */
const CLOSE_GRACE_MS = 2_000

/** Runs `formwire listen` from the options to the exit code. Deliveries are printed as lines unless another view is given. */
export async function runListen(
  context: Context,
  options: ListenOptions,
  openView: OpenView = showPlainly,
): Promise<ExitCode> {
  const { runtime, output } = context
  const matches = parseMatch(options.match ?? [])
  if (options.record !== undefined) makeDirectory(options.record)
  const client = options.form === undefined ? undefined : await context.client()
  const given = client ? undefined : await readSecret(context, options.secretStdin === true)
  const log = new SenderLog(await optionalControl(context, options), runtime.clock)
  const secret = deferred<string>()
  if (given !== undefined) secret.resolve(given)

  const outcome = new Outcome({
    count: options.count ?? (options.match ? 1 : undefined),
    scripted: options.respond !== undefined,
  })
  let view: ListenView | undefined
  const beforeView: [ReceivedDelivery, RawDelivery][] = []
  const listener = new Listener({
    secret: () => secret.promise,
    forwardTo: options.forwardTo,
    respond: options.respond ?? [],
    recordDir: options.record,
    log,
    clock: runtime.clock,
    onUnrecorded: (reason) => output.announce('not_recorded', `could not record a delivery: ${reason}`),
    onReceived(received, delivery) {
      if (received.verified && !matches({ ...received, body: delivery.body.toString() })) return
      if (view) outcome.follow(view.show(received, delivery))
      else beforeView.push([received, delivery])
      outcome.add(received)
    },
  })
  const receiver = new Receiver(
    (delivery) => listener.handle(delivery),
    (reason) => output.announce('refused', `refused ${reason}`),
  )
  context.onExit(() => receiver.close(CLOSE_GRACE_MS))
  const url = await bind(receiver, options.port ?? 0)

  if (client && options.form !== undefined) {
    const endpoint = await createTemporaryEndpoint(
      context,
      client,
      options.form,
      options.publicUrl ?? `${url}/`,
    )
    log.calibrate(endpoint.created_at)
    secret.resolve(endpoint.secret)
    output.note(`created temporary endpoint ${endpoint.id} on form ${options.form}; it is deleted on exit`)
  }
  output.announce('listening', `listening on ${url}`, { url })
  view = openView(context, { url, forwardTo: options.forwardTo, secret: await secret.promise })
  for (const [received, delivery] of beforeView) outcome.follow(view.show(received, delivery))

  const timer = new AbortController()
  context.onExit(() => timer.abort())
  const timeout = options.timeout
  const timedOut =
    timeout === undefined ? NEVER : runtime.clock.sleep(timeout, timer.signal).then(() => 'timeout' as const)
  timedOut.catch(() => undefined)
  const why = await Promise.race([outcome.reached, timedOut, view.quit.then(() => 'quit' as const)])
  await outcome.settled()
  if (why === 'quit') return EXIT.done
  return outcome.exitCode(why === 'timeout' ? timeout : undefined)
}

const NEVER: Promise<never> = new Promise(() => undefined)

/** Returns a control client if there is a token. Without --form, a missing base URL is not an error. */
async function optionalControl(context: Context, options: ListenOptions) {
  const token = options.adminToken ?? context.runtime.env.FORMWIRE_ADMIN_TOKEN
  if (!token) return undefined
  try {
    return await context.control(token)
  } catch (error) {
    if (error instanceof Failure && options.form === undefined) return undefined
    throw error
  }
}

async function bind(receiver: Receiver, port: number): Promise<string> {
  try {
    return await receiver.listen(port)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE')
      throw usage(`port ${port} is already in use`, 'choose another with --port (0 = any free port)')
    throw usage(`cannot listen on port ${port}: ${code}`)
  }
}

function makeDirectory(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw usage(`cannot write to ${path}: ${(error as NodeJS.ErrnoException).code}`)
  }
}

function deferred<Value>(): { promise: Promise<Value>; resolve(value: Value): void } {
  let resolve: (value: Value) => void = () => undefined
  const promise = new Promise<Value>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
