import { stat } from 'node:fs/promises'
import type { SyncStore } from '@formwire/sync'
import { configuredServer } from '../config/credentials.ts'
import type { Context } from '../context.ts'
import { EXIT, type ExitCode } from '../exit.ts'
import { Failure, fileFailure, Stopped, usage } from '../failure.ts'
import { canAsk, confirmDeletion } from '../input/ask.ts'
import type { DatabaseTarget, PostgresTarget } from '../input/database-target.ts'
import { inputName, readInput } from '../input/read-input.ts'
import { countOf } from '../output/progress.ts'
import { redact, safeIndented } from '../output/text-safety.ts'
import { toFailure } from '../report.ts'
import { databaseFailure, openExistingStore } from '../sync/store.ts'
import { databasePlace } from './database.ts'
import { filesPlace } from './files.ts'
import type { Found, Place } from './place.ts'
import { queuePlace } from './queue.ts'
import { servicePlace } from './service.ts'

/** A parsed `formwire person find` or `erase`. */
export interface PersonRequest {
  /** The email address, or `-` for stdin. */
  email: string
  forms: readonly string[] | undefined
  target: DatabaseTarget | undefined
  /** The queue of an inbox, with its schema and name if they are not the default. */
  queue: { target: PostgresTarget; schema: string | undefined; name: string | undefined } | undefined
  recordings: readonly string[]
  /** Whether to search the service. Undefined: if one is configured. */
  service: boolean
}

/** What became of a place. */
interface Outcome {
  place: Place
  found: Found[]
  erased: number
  failure: Failure | undefined
}

/** What no command can reach. */
const NOT_REACHED: readonly { place: string; text: string }[] = [
  { place: 'trash', text: 'responses of forms in the trash of the service' },
  { place: 'delivery_log', text: 'the delivery log of the service, which keeps entries for up to 30 days' },
  { place: 'receivers', text: 'deliveries that receivers of webhooks have got' },
  { place: 'copies', text: 'copies that onResponse and other programs have made' },
  { place: 'backups', text: 'backups, and what a database or disk keeps of deleted content' },
  { place: 'logs', text: 'logs of programs, proxies and databases' },
  { place: 'others', text: 'other databases, inboxes and files than those named' },
]

/** Searches every place for a person, and prints a report. */
export async function runPersonFind(context: Context, request: PersonRequest): Promise<ExitCode> {
  const outcomes = await findIn(context, await placesOf(context, request))
  return await report(context, outcomes, false)
}

/** Erases a person in every place after confirmation, and prints a report. */
export async function runPersonErase(context: Context, request: PersonRequest): Promise<ExitCode> {
  const places = await placesOf(context, request)
  // Refused before anything is read.
  if (!canAsk(context)) await confirmDeletion(context, async () => '')
  const outcomes = await findIn(context, places)
  if (outcomes.some(({ found }) => found.length > 0))
    await confirmDeletion(context, async () => describe(outcomes))
  for (const outcome of outcomes) {
    if (outcome.found.length === 0) continue
    await attempt(context, outcome, 'erase in', () =>
      outcome.place.erase(outcome.found, (count) => {
        outcome.erased += count
      }),
    )
  }
  return await report(context, outcomes, true)
}

const MAX_EMAIL_BYTES = 4096

async function placesOf(context: Context, request: PersonRequest): Promise<Place[]> {
  const { forms, target, queue, recordings } = request
  const email = await readEmail(context, request.email)
  // An error must not repeat it.
  context.hide(email)
  const places: Place[] = []
  const hasService = request.service && configuredServer(context.runtime, context.global) !== undefined
  // Without a service, of all workspaces.
  const workspace = async (): Promise<string | undefined> =>
    hasService ? String((await (await context.longClient()).me()).workspace.id) : undefined
  const opened = async (one: DatabaseTarget): Promise<SyncStore> => {
    for (const secret of one.secrets) context.hide(secret)
    const store = await openExistingStore(context, one)
    context.onExit(() => store.close())
    return store
  }
  if (hasService) places.push(servicePlace(context, () => context.longClient(), email, forms))
  if (target) places.push(databasePlace(context, await opened(target), email, forms, workspace))
  if (queue) {
    const { target: database, schema, name } = queue
    places.push(queuePlace({ store: await opened(database), schema, name }, email, forms, workspace))
  }
  for (const path of recordings)
    await stat(path).catch((error: unknown) => {
      throw fileFailure(`read ${path}`, error)
    })
  if (recordings.length > 0) places.push(filesPlace(context, recordings, email))
  if (places.length > 0) return places
  throw usage(
    'nowhere to search',
    'configure a service with --base-url, or pass --to, --queue or --recordings',
  )
}

async function readEmail({ runtime }: Context, given: string): Promise<string> {
  if (given === '-' && runtime.stdin.isTTY === true)
    throw usage('cannot read the email address from stdin: it is a terminal', 'pipe it to the command')
  const text = given === '-' ? (await readInput(runtime, given, MAX_EMAIL_BYTES)).toString() : given
  const email = text.trim()
  if (/^[^\s@]+@[^\s@]+$/.test(email)) return email
  throw usage(
    given === '-' ? `${inputName(given)} must have one email address` : 'EMAIL must be an email address',
    'such as ada@example.com; - reads it from stdin',
  )
}

async function findIn(context: Context, places: readonly Place[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const place of places) {
    const outcome: Outcome = { place, found: [], erased: 0, failure: undefined }
    outcomes.push(outcome)
    await attempt(context, outcome, 'search', () => place.search((found) => void outcome.found.push(found)))
  }
  return outcomes
}

/** Notes a failure: the other places are searched and erased nevertheless. @throws the reason of a stop */
async function attempt(
  context: Context,
  outcome: Outcome,
  what: 'search' | 'erase in',
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (error instanceof Stopped || context.runtime.stop.aborted) throw error
    const failure = toFailure(databaseFailure(error), {
      task: `${what} the ${outcome.place.name}`,
      server: context.server?.baseUrl,
      keySource: context.keySource,
    })
    // Other places are done, unlike after a usage error.
    const exitCode = failure.exitCode === EXIT.usage ? EXIT.failed : failure.exitCode
    outcome.failure ??= new Failure(failure.message, { ...failure, exitCode, cause: failure })
  } finally {
    context.output.clearProgress()
  }
}

const describe = (outcomes: readonly Outcome[]): string =>
  outcomes.map(({ found, place }) => `${countOf(found.length, place.noun)} (${place.name})`).join(', ')

async function report(context: Context, outcomes: readonly Outcome[], erases: boolean): Promise<ExitCode> {
  const { output } = context
  const remaining = outcomes.flatMap(({ place }) => place.remaining?.() ?? [])
  const failed = outcomes.find(({ failure }) => failure !== undefined)?.failure
  if (output.json) {
    await output.document({
      places: outcomes.map(({ place, found, erased, failure }) => ({
        place: place.name,
        found,
        ...(erases && { erased }),
        error:
          failure === undefined
            ? null
            : { code: failure.code, message: redact(failure.message, context.secrets) },
      })),
      remaining,
      not_reached: NOT_REACHED,
    })
  } else {
    for (const outcome of outcomes)
      await output.line(linesOf(context, outcome, erases).map(safeIndented).join('\n'))
    for (const text of remaining) await output.line(safeIndented(text))
    await output.line(['not reached:', ...NOT_REACHED.map(({ text }) => `  ${text}`)].join('\n'))
  }
  if (failed) throw failed
  return EXIT.done
}

function linesOf(context: Context, { place, found, erased, failure }: Outcome, erases: boolean): string[] {
  const counts = countOf(found.length, place.noun)
  return [
    `${place.name}: found ${counts}${erases ? `, erased ${erased}` : ''}`,
    ...found.map((one) => `  ${factsOf(one)}`),
    ...(failure
      ? [`  failed: ${redact(failure.message, context.secrets)}; run the command again for the rest`]
      : []),
  ]
}

function factsOf({ workspace_id, form_id, id, columns, status, state, deleted, view, file }: Found): string {
  return [
    file,
    workspace_id === undefined ? undefined : `workspace ${workspace_id}`,
    form_id === null ? undefined : `form ${form_id}`,
    id === null ? undefined : `response ${id}`,
    status,
    state,
    deleted === true ? 'deleted' : undefined,
    typeof view === 'string' ? `view ${view}` : undefined,
    columns.join(', '),
  ]
    .filter((part) => part !== undefined)
    .join(' · ')
}
