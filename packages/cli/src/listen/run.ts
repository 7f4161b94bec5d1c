import { mkdirSync } from 'node:fs'
import type { ListenOptions } from '../commands/listen.ts'
import type { Context } from '../context.ts'
import { EXIT, type ExitCode } from '../exit.ts'
import { Failure, usage } from '../failure.ts'
import type { ListenViewOptions } from '../ui/listen-view.ts'
import { liveTerminal } from '../ui/live-terminal.ts'
import { Listener } from './listener.ts'
import { parseMatch } from './match.ts'
import { Outcome } from './outcome.ts'
import { showPlainly } from './plain-view.ts'
import { type RawDelivery, Receiver } from './receiver.ts'
import type { Reception } from './reception.ts'
import { readSecret } from './secret.ts'
import { SenderLog } from './sender-log.ts'
import { createTemporaryEndpoint } from './temporary-endpoint.ts'

/** At the end a delivery under way is still answered, within the service's own deadline. */
const CLOSE_GRACE_MS = 2_000

/** What shows the deliveries: lines, or the live view. */
export interface ListenView {
  show(reception: Reception, delivery: RawDelivery): void | Promise<void>
  /** Resolves when the person quits; never for lines. */
  readonly quit: Promise<void>
}

/** Runs `formwire listen` from the options to the exit code. */
export async function runListen(context: Context, options: ListenOptions): Promise<ExitCode> {
  const { runtime, output } = context
  const matches = parseMatch(options.match ?? [])
  if (options.record !== undefined) makeDirectory(options.record)
  const client = options.form === undefined ? undefined : await context.client()
  const given = client ? undefined : await readSecret(context, options.secretStdin === true)
  const log = new SenderLog(await optionalAdmin(context, options), runtime.clock)
  const secret = deferred<string>()
  if (given !== undefined) secret.resolve(given)

  const outcome = new Outcome({
    count: options.count ?? (options.match ? 1 : undefined),
    scripted: options.respond !== undefined,
  })
  let view: ListenView | undefined
  const early: [Reception, RawDelivery][] = []
  const listener = new Listener({
    secret: () => secret.promise,
    forwardTo: options.forwardTo,
    respond: options.respond ?? [],
    recordDir: options.record,
    log,
    clock: runtime.clock,
    onUnrecorded: (reason) => output.announce('not_recorded', `a delivery could not be recorded: ${reason}`),
    onReception(reception, delivery) {
      if (reception.verified && !matches({ ...reception, body: delivery.body.toString() })) return
      if (view) outcome.follow(view.show(reception, delivery))
      else early.push([reception, delivery])
      outcome.add(reception)
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
    output.note(`endpoint ${endpoint.id} of form ${options.form} is there until this ends`)
  }
  output.announce('listening', `listening on ${url}`, { url })
  view = await openView(context, { url, forwardTo: options.forwardTo, secret: await secret.promise })
  for (const [reception, delivery] of early) outcome.follow(view.show(reception, delivery))

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

async function openView(context: Context, details: ListenViewOptions): Promise<ListenView> {
  if (context.output.json || !liveTerminal(context.runtime)) return showPlainly(context)
  const { showListenView } = await import('../ui/listen-view.ts')
  return showListenView(context, details)
}

/** The log of the sender, where there is a token to read it with; a token without a base URL is no reason to fail. */
async function optionalAdmin(context: Context, options: ListenOptions) {
  const token = options.adminToken ?? context.runtime.env.FORMWIRE_ADMIN_TOKEN
  if (!token) return undefined
  try {
    return await context.admin(token)
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
    if (code === 'EADDRINUSE') throw usage(`port ${port} is in use`, 'leave --port out for any free one')
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
  const promise = new Promise<Value>((take) => {
    resolve = take
  })
  return { promise, resolve }
}
