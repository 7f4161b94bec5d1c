import { randomUUID } from 'node:crypto'
import { makeFolder } from '@formwire/internal/files'
import type { Context } from '../context.ts'
import { EXIT } from '../exit.ts'
import { fileFailure, usage } from '../failure.ts'
import { type ViewName, viewOf } from '../input/view-option.ts'
import { checkCommand } from '../process-group.ts'
import { EarlyNotes } from './early-notes.ts'
import { EndCondition } from './end-condition.ts'
import { handled } from './forward.ts'
import { Handler } from './handler.ts'
import { announceEnd, type HandlerCommand, startCommand } from './handler-process.ts'
import { parseMatch } from './match.ts'
import { checkListenOptions, type ListenOptions } from './options.ts'
import { type ReceivedDelivery, receivedDelivery } from './received-delivery.ts'
import type { HandledDelivery } from './receiver.ts'
import { handOver, secretOrigin, sessionSecret } from './session-secret.ts'
import { signedDelivery } from './signed-delivery.ts'
import type { DeliverySource, SourceParts } from './source.ts'
import { Targets } from './targets.ts'
import { type ListenView, type OpenView, type Resent, showFirstRefusal, showPlainly } from './view.ts'

/** Runs `formwire listen` from the options to the exit code. `argv` is the handler's command, if any. */
export async function runListen(
  context: Context,
  options: ListenOptions,
  argv: readonly string[],
): Promise<number> {
  const viewName = checkListen(context, options, argv)
  const hasCommand = argv.length > 0
  const early = viewName === 'live' ? new EarlyNotes(context) : undefined
  // A live view loads while the service responds.
  const loadedView = Promise.resolve(OPEN_VIEW[viewName]())
  loadedView.catch(() => undefined)
  const matches = parseMatch(options.match ?? [])
  const targets = new Targets(options.forwardTo ?? [], options.form)
  const { record } = options
  if (record !== undefined)
    await makeFolder(record, 0o700).catch((error: unknown) => {
      throw fileFailure(`write to ${record}`, error)
    })
  const headers = Object.fromEntries(options.header ?? [])
  for (const value of Object.values(headers)) context.hide(value)
  const session = await sessionSecret(context, options)
  let command: HandlerCommand | undefined
  const handler = new Handler({
    targets,
    headers,
    insecure: options.insecure === true,
    signWith: session.signWith,
    secretOrigin: secretOrigin(session, options, hasCommand),
    starting: () => command?.running() === true,
    clock: context.runtime.clock,
  })
  const end = new EndCondition({
    count: options.count ?? (options.match ? 1 : undefined),
    scripted: options.respond !== undefined,
  })
  const shown = new DeferredView(end)
  const source = await openSource(context, options, {
    handler,
    session,
    onDelivery(received, delivery, settled) {
      if (received.verified && !matches({ ...received, body: delivery.body.toString() })) return
      shown.show(received, delivery)
      if (settled) end.add(received)
    },
    isOver: () => end.isReached,
  })
  const secret = handOver(context, source.handlerSecret, {
    ...session,
    secretFile: options.secretFile,
    hasCommand,
  })
  const status = targets.none ? 'waiting for deliveries' : `forwarding to ${targets.describe()}`
  const notes = [...(secret === undefined ? [] : [secretText(secret)]), ...(early?.texts ?? [])]
  announceStart(context, source, status, secret, options.secretFile)
  if (options.record !== undefined) {
    const recording = `recording deliveries in ${options.record}`
    context.output.note(recording)
    if (early && !context.output.quiet) notes.push(recording)
  }
  const openView = await loadedView
  shown.open(
    await openView(context, {
      title: source.title,
      forms: options.poll ? [] : (options.form ?? []),
      forwarding: targets.none ? '' : status,
      resend: targets.none
        ? undefined
        : (received, delivery) => resend(context, handler, source.handlerSecret, received, delivery),
      targetOf: (formId) => (options.forwardTo?.length === 1 ? undefined : targets.of(formId)),
      now: source.now,
      notes,
    }),
  )
  if (hasCommand) {
    command = startCommand(context, argv, source.handlerSecret)
    context.onExit(() => source.release())
  }
  return await untilEnd(context, options.timeout, { end, shown, source, command })
}

/** Checks the options and the command, and returns the view. @throws Failure exit 2, 126 or 127 */
function checkListen(context: Context, options: ListenOptions, argv: readonly string[]): ViewName {
  checkListenOptions(options)
  const hasCommand = argv.length > 0
  // The output of a command would be written over a live view.
  if (hasCommand && options.view === 'live')
    throw usage('--view live cannot be combined with a command after --')
  if (hasCommand) checkCommand(context, argv)
  return viewOf(context, options, hasCommand)
}

function announceStart(
  context: Context,
  { title, facts }: DeliverySource,
  status: string,
  secret: string | undefined,
  secretFile: string | undefined,
): void {
  const { output } = context
  output.announce('listening', title, {
    ...facts,
    ...(secretFile === undefined ? {} : { secret_file: secretFile }),
    ...(secret === undefined ? {} : { secret }),
  })
  if (secret !== undefined && !output.json) output.announce('secret', secretText(secret))
  output.note(`${status} (Ctrl-C to stop)`)
}

function secretText(secret: string): string {
  return `webhook secret: ${secret} (valid until this command ends)`
}

/** What a run works with once it has started. */
interface StartedRun {
  end: EndCondition
  shown: DeferredView
  source: DeliverySource
  command: HandlerCommand | undefined
}

/** Waits for what ends the run first, and returns the exit code. @throws Failure exit 1 as {@link EndCondition.exitCode} */
async function untilEnd(
  context: Context,
  timeout: number | undefined,
  { end, shown, source, command }: StartedRun,
): Promise<number> {
  const { runtime } = context
  const timer = new AbortController()
  context.onExit(() => timer.abort())
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
  quiet: () => showFirstRefusal,
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
  readonly #early: [ReceivedDelivery, HandledDelivery][] = []
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

  show(received: ReceivedDelivery, delivery: HandledDelivery): void {
    if (this.#view) this.#end.follow(this.#view.show(received, delivery))
    else this.#early.push([received, delivery])
  }
}

/** Sends a delivery to its handler again, with a new delivery id, timestamp and signature. */
async function resend(
  { runtime }: Context,
  handler: Handler,
  secret: string,
  { number, event, form_id, response_id, payload }: ReceivedDelivery,
  { body }: HandledDelivery,
): Promise<Resent | undefined> {
  const deliveryId = randomUUID()
  const now = runtime.clock.now()
  const delivery = signedDelivery({ body, event, deliveryId }, secret, now)
  const forwarded = await handler.send(delivery, form_id)
  if (!forwarded) return undefined
  const answered = forwarded.reached ? forwarded.status : 502
  const received = receivedDelivery({
    number,
    received_at: new Date(now).toISOString(),
    delivery_id: deliveryId,
    event,
    form_id,
    response_id,
    payload,
    answered,
    forwarded,
    advice: handler.adviceOn(form_id, forwarded, answered, false),
  })
  const message = forwarded.reached
    ? `the handler responded with ${forwarded.status} after ${Math.round(forwarded.durationMs)} ms`
    : forwarded.reason
  return { received, delivery: handled(delivery, forwarded), message }
}
