import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import type { Context } from '../context.ts'
import { EXIT } from '../exit.ts'
import { fileFailure, usage } from '../failure.ts'
import { type ViewName, viewOf } from '../ui/view-option.ts'
import { announceEnd, checkCommand, type HandlerCommand, startCommand } from './handler-process.ts'
import { Handler } from './handler.ts'
import { parseMatch } from './match.ts'
import { checkListenOptions, type ListenOptions } from './options.ts'
import { EndCondition } from './end-condition.ts'
import { showNothing, showPlainly } from './plain-view.ts'
import type { ReceivedDelivery } from './received-delivery.ts'
import type { RawDelivery } from './receiver.ts'
import { handOver, secretOrigin, sessionSecret } from './session-secret.ts'
import { signedDelivery } from './signed-delivery.ts'
import type { DeliverySource, SourceParts } from './source.ts'
import { Targets } from './targets.ts'
import type { ListenView, OpenView } from './view.ts'

/**
 * Runs `formwire listen` from the options to the exit code. `argv` is the handler's command, if any.
 */
export async function runListen(
  context: Context,
  options: ListenOptions,
  argv: readonly string[],
): Promise<number> {
  checkListenOptions(options)
  const { runtime, output } = context
  const hasCommand = argv.length > 0
  // The output of a command would be written over a live view.
  if (hasCommand && options.view === 'live')
    throw usage('--view live cannot be combined with a command after --')
  if (hasCommand) checkCommand(context, argv)
  const viewName = viewOf(context, options, hasCommand)
  const matches = parseMatch(options.match ?? [])
  const targets = new Targets(options.forwardTo ?? [], options.form)
  if (options.record !== undefined) makeDirectory(options.record)
  for (const value of Object.values(options.header ?? {})) context.hide(value)
  const session = await sessionSecret(context, options)
  let command: HandlerCommand | undefined
  const handler = new Handler({
    targets,
    headers: options.header ?? {},
    insecure: options.insecure === true,
    concurrency: options.concurrency,
    signWith: session.signWith,
    starting: () => command?.running() === true,
    clock: runtime.clock,
  })
  const end = new EndCondition({
    count: options.count ?? (options.match ? 1 : undefined),
    scripted: options.respond !== undefined,
  })
  const shown = new DeferredView(end)
  const parts = {
    handler,
    session,
    secretOrigin: secretOrigin(session, options, hasCommand),
    hasCommand,
    onDelivery(received: ReceivedDelivery, delivery: RawDelivery, settled: boolean) {
      if (received.verified && !matches({ ...received, body: delivery.body.toString() })) return
      shown.show(received, delivery)
      if (settled) end.add(received)
    },
    isOver: () => end.isReached,
  }
  const source = await openSource(context, options, parts)
  const secret = handOver(context, source.handlerSecret, {
    ...session,
    secretFile: options.secretFile,
    hasCommand,
  })
  // The live view has the title as its header.
  if (viewName !== 'live')
    output.announce('listening', source.title, {
      ...source.facts,
      ...(options.secretFile === undefined ? {} : { secret_file: options.secretFile }),
      ...(secret === undefined ? {} : { secret }),
    })
  if (secret !== undefined && !output.json)
    output.announce('secret', `webhook secret: ${secret} (valid until this command ends)`)
  const status = targets.none ? 'waiting for deliveries' : `forwarding to ${targets.describe()}`
  if (viewName !== 'live') output.note(`${status} (Ctrl-C to stop)`)
  if (options.record !== undefined) output.note(`recording deliveries in ${options.record}`)
  const openView = await OPEN_VIEW[viewName]()
  shown.open(
    openView(context, {
      title: source.title,
      status,
      resend: targets.none
        ? undefined
        : (received, delivery) => resend(context, handler, source.handlerSecret, received, delivery),
    }),
  )
  if (hasCommand) {
    command = startCommand(context, argv, source.handlerSecret)
    context.onExit(() => source.release())
  }
  const timer = new AbortController()
  context.onExit(() => timer.abort())
  const timeout = options.timeout
  const timedOut =
    timeout === undefined ? NEVER : runtime.clock.sleep(timeout, timer.signal).then(() => 'timeout' as const)
  timedOut.catch(() => undefined)
  const why = await Promise.race([
    end.reached,
    timedOut,
    shown.quit.then(() => 'quit' as const),
    source.start().then(() => NEVER),
    ...(command ? [command.ended] : []),
  ])
  await end.settled()
  if (typeof why === 'object') {
    // A signal to this process ends the command too.
    if (!runtime.stop.aborted) announceEnd(context, why)
    return why.exitCode
  }
  if (why === 'quit') return EXIT.done
  return end.exitCode(why === 'timeout' ? timeout : undefined)
}

const NEVER: Promise<never> = new Promise(() => undefined)

const OPEN_VIEW: Record<ViewName, () => OpenView | Promise<OpenView>> = {
  live: async () => (await import('./live-view.ts')).showListenView,
  lines: () => showPlainly,
  quiet: () => showNothing,
}

async function openSource(
  context: Context,
  options: ListenOptions,
  parts: SourceParts,
): Promise<DeliverySource> {
  if (options.poll) {
    const { openPoll } = await import('./poll-source.ts')
    return await openPoll(context, options, parts)
  }
  const { openWebhooks } = await import('./webhook-source.ts')
  return await openWebhooks(context, options, parts)
}

/** Keeps deliveries that arrive before the view is open. */
class DeferredView {
  readonly #end: EndCondition
  readonly #early: [ReceivedDelivery, RawDelivery][] = []
  #view: ListenView | undefined

  constructor(end: EndCondition) {
    this.#end = end
  }

  get quit(): Promise<void> {
    return this.#view?.quit ?? NEVER
  }

  open(view: ListenView): void {
    this.#view = view
    for (const [received, delivery] of this.#early.splice(0)) this.show(received, delivery)
  }

  show(received: ReceivedDelivery, delivery: RawDelivery): void {
    if (this.#view) this.#end.follow(this.#view.show(received, delivery))
    else this.#early.push([received, delivery])
  }
}

/** Sends a delivery to its handler again, with a new delivery id, timestamp and signature. */
async function resend(
  { runtime }: Context,
  handler: Handler,
  secret: string,
  { event, form_id }: ReceivedDelivery,
  { body }: RawDelivery,
): Promise<string> {
  const delivery = signedDelivery({ body, event, deliveryId: randomUUID() }, secret, runtime.clock.now())
  const forwarded = await handler.send(delivery, form_id)
  if (!forwarded) return `form ${form_id} has no handler`
  if (!forwarded.reached) return forwarded.reason
  return `the handler responded with ${forwarded.status} after ${Math.round(forwarded.durationMs)} ms`
}

function makeDirectory(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw fileFailure(`write to ${path}`, error)
  }
}
