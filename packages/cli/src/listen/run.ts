import { makeFolder } from '@formwire/internal/files'
import type { Context } from '../context.ts'
import { EXIT } from '../exit.ts'
import { fileFailure, usage } from '../failure.ts'
import { type ViewName, viewOf } from '../input/view-option.ts'
import { checkCommand } from '../process-group.ts'
import { endCondition, parseMatch } from './end-condition.ts'
import { Handler, Targets } from './handler.ts'
import { announceEnd, startCommand } from './handler-process.ts'
import { checkListenOptions, type ListenOptions } from './listen-options.ts'
import { secretOrigin, sessionSecret, writeSecretFile } from './secret.ts'
import type { DeliverySource, Line } from './source.ts'
import { EarlyNotes, type OpenView, showFirstRefusal, showPlainly } from './view.ts'

/** Runs `formwire listen` from the options to the exit code. `argv` is the handler's command, if any. */
export async function runListen(
  context: Context,
  options: ListenOptions,
  argv: readonly string[],
): Promise<number> {
  const viewName = checkListen(context, options, argv)
  const { runtime } = context
  const { form: forms = [], forwardTo = [], record, secretFile } = options
  const hasCommand = argv.length > 0
  const early = viewName === 'live' ? new EarlyNotes(context) : undefined
  // A live view loads while the service responds.
  const loadedView = Promise.resolve(OPEN_VIEW[viewName]())
  loadedView.catch(() => undefined)
  const matches = parseMatch(options.match ?? [])
  const targets = new Targets(forwardTo, forms)
  if (record !== undefined)
    await makeFolder(record, 0o700).catch((error: unknown) => {
      throw fileFailure(`write to ${record}`, error)
    })
  const headers = Object.fromEntries(options.header ?? [])
  for (const value of Object.values(headers)) context.hide(value)
  const session = await sessionSecret(context, options)

  const openSource = await sourceOpener(options)
  const source = await openSource(context, options, session)
  const { title, handlerSecret } = source
  if (secretFile !== undefined) writeSecretFile(context, secretFile, handlerSecret)
  const status = targets.none ? 'waiting for deliveries' : `forwarding to ${targets.describe()}`
  // A command of the user gets it in its environment.
  const isSecretShown = session.temporary && secretFile === undefined && !hasCommand
  const notes = announceStart(context, options, source, { status, isSecretShown, early })

  const command = hasCommand ? startCommand(context, argv, handlerSecret) : undefined
  if (command) context.onExit(() => source.release?.())
  const handler = new Handler({
    targets,
    headers,
    insecure: options.insecure === true,
    signWith: session.signWith,
    secretOrigin: secretOrigin(session, options, hasCommand),
    starting: () => command?.running() === true,
    clock: runtime.clock,
  })
  const openView = await loadedView
  const view = await openView(context, {
    title,
    forms: options.poll ? [] : forms,
    forwarding: targets.none ? '' : status,
    handler,
    secret: handlerSecret,
    targetOf: (formId) => (forwardTo.length === 1 ? undefined : targets.of(formId)),
    now: source.now,
    notes,
  })
  const end = endCondition({
    count: options.count ?? (options.match ? 1 : undefined),
    scripted: options.respond !== undefined,
  })
  /** Output in flight, of which none is lost at the end. */
  let shown: Promise<unknown> = Promise.resolve()
  const line: Line = {
    handler,
    onDelivery(received, delivery, settled) {
      if (received.verified && !matches({ ...received, body: delivery.body.toString() })) return
      shown = Promise.all([shown, view.show(received, delivery)]).then(() => undefined)
      shown.catch(() => undefined)
      if (settled) end.add(received)
    },
    isOver: end.isReached,
  }
  const why = await Promise.race([
    end.reached,
    source.start(line).then(() => NEVER),
    ...(options.timeout === undefined ? [] : [passed(context, options.timeout)]),
    ...(view.quit ? [view.quit.then(() => 'quit' as const)] : []),
    ...(command ? [command.ended] : []),
  ])
  await shown
  if (why === 'quit') return EXIT.done
  if (typeof why === 'string') return end.exitCode(why === 'timeout' ? options.timeout : undefined)
  // A signal to this process ends the command too.
  if (!runtime.stop.aborted) announceEnd(context, why)
  return why.exitCode
}

/** Announces what is followed. Returns what a view that covers the screen repeats. */
function announceStart(
  { output }: Context,
  { record, secretFile }: ListenOptions,
  { title, facts, handlerSecret: secret }: DeliverySource,
  { status, isSecretShown, early }: { status: string; isSecretShown: boolean; early: EarlyNotes | undefined },
): string[] {
  const secretText = `webhook secret: ${secret} (valid until this command ends)`
  const notes = [...(isSecretShown ? [secretText] : []), ...(early?.texts ?? [])]
  output.announce('listening', title, {
    ...facts,
    ...(secretFile === undefined ? {} : { secret_file: secretFile }),
    ...(isSecretShown ? { secret } : {}),
  })
  if (isSecretShown && !output.json) output.announce('secret', secretText)
  output.note(`${status} (Ctrl-C to stop)`)
  if (record === undefined) return notes
  const recording = `recording deliveries in ${record}`
  output.note(recording)
  return early && !output.quiet ? [...notes, recording] : notes
}

/** Checks the options and the command, and returns the view. @throws Failure exit 2, 126 or 127 */
function checkListen(context: Context, options: ListenOptions, argv: readonly string[]): ViewName {
  checkListenOptions(options)
  const hasCommand = argv.length > 0
  // The output of a command would be written over a live view.
  if (hasCommand && options.view === 'live')
    throw usage('--view live cannot be combined with a command after --')
  if (hasCommand) checkCommand(context, argv)
  // With --count, too, people watch.
  return viewOf(context, { view: options.view }, hasCommand)
}

const OPEN_VIEW: Record<ViewName, () => OpenView | Promise<OpenView>> = {
  live: async () => (await import('./live-view.ts')).showListenView,
  lines: () => showPlainly,
  quiet: () => showFirstRefusal,
}

/** Returns what opens the source. */
const sourceOpener = async ({ poll }: ListenOptions) =>
  poll ? (await import('./poll-source.ts')).openPoll : (await import('./webhook-source.ts')).openWebhooks

/** Resolves after the time of `--timeout`, unless the command ends before. */
function passed(context: Context, ms: number): Promise<'timeout'> {
  const timer = new AbortController()
  context.onExit(() => timer.abort())
  return context.runtime.clock.sleep(ms, timer.signal).then(() => 'timeout' as const)
}

const NEVER: Promise<never> = new Promise(() => undefined)
