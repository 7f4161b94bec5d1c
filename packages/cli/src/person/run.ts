import { stat } from 'node:fs/promises'
import type { ResponseIds, SyncStore } from '@formwire/sync'
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
  /** Schema of the tables in PostgreSQL. */
  tablesSchema: string | undefined
  /** The queue of an inbox, with its schema and name if they are not the default. */
  queue: { target: PostgresTarget; schema: string | undefined; name: string | undefined } | undefined
  recordings: readonly string[]
  /** Responses whose copies are searched whatever they contain. */
  responses: readonly ResponseIds[]
  /** Whether to search the service. Undefined: if one is configured. */
  service: boolean
}

/** What became of a place. */
interface Outcome {
  place: Place
  found: Found[]
  isSearched: boolean
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
  const outcomes = await findIn(context, await placesOf(context, request), request.responses)
  return await report(context, outcomes, false)
}

/** Erases a person in every place after confirmation, and prints a report. */
export async function runPersonErase(context: Context, request: PersonRequest): Promise<ExitCode> {
  const places = await placesOf(context, request)
  // Refused before anything is read.
  if (!canAsk(context)) await confirmDeletion(context, async () => '')
  const outcomes = await findIn(context, places, request.responses)
  if (outcomes.some(({ found }) => found.length > 0))
    await confirmDeletion(context, async () => describe(outcomes))
  let isErasing = true
  context.onExit(() => {
    for (const text of isErasing ? secondRun(outcomes, true) : []) context.output.announce('incomplete', text)
  })
  for (const outcome of outcomes) {
    if (outcome.found.length === 0) continue
    await attempt(context, outcome, 'erase in', () =>
      outcome.place.erase(outcome.found, (count) => {
        outcome.erased += count
      }),
    )
  }
  const responses = [...request.responses, ...outcomes.flatMap(({ found }) => found.flatMap(idsOf))]
  for (const outcome of outcomes)
    if (outcome.failure === undefined && responses.length > 0)
      await attempt(context, outcome, 'erase in', () => eraseAgain(outcome, responses))
  isErasing = false
  return await report(context, outcomes, true)
}

/** Erases what was written meanwhile, such as by a synchronization that had read it before. @throws Failure if any is there still */
async function eraseAgain(outcome: Outcome, responses: readonly ResponseIds[]): Promise<void> {
  const { place, found } = outcome
  const search = async (): Promise<Found[]> => {
    const copies: Found[] = []
    await place.searchIds?.(responses, (one) => void copies.push(one))
    return distinct(copies)
  }
  const copies = await search()
  if (copies.length === 0) return
  const known = new Set(found.map(keyOfFound))
  const added = copies.filter((one) => !known.has(keyOfFound(one)))
  await place.erase(copies, () => undefined)
  const left = await search()
  found.push(...added)
  outcome.erased += added.length
  if (left.length === 0) return
  outcome.erased -= left.length
  throw new Failure(`${countOf(left.length, place.noun)} written again meanwhile`, {
    exitCode: EXIT.failed,
    code: 'failed',
    isReason: true,
  })
}

const keyOfFound = ({ workspace_id, form_id, id, file }: Found): string =>
  JSON.stringify([workspace_id, form_id, id, file])

/** A file may have several records of a response; any other place has one copy. */
function distinct(found: readonly Found[]): Found[] {
  const keys = new Set<string>()
  return found.filter((one) => {
    const key = keyOfFound(one)
    const isNew = one.file !== undefined || !keys.has(key)
    keys.add(key)
    return isNew
  })
}

const MAX_EMAIL_BYTES = 4096

async function placesOf(context: Context, request: PersonRequest): Promise<Place[]> {
  const { forms, target, queue, recordings } = request
  const email = await readEmail(context, request.email)
  // An error must not repeat it.
  context.hide(email)
  const places: Place[] = []
  const hasService = request.service && configuredServer(context.runtime, context.global) !== undefined
  let asked: Promise<string> | undefined
  const ask = async (): Promise<string> => String((await (await context.longClient()).me()).workspace.id)
  // Without a service, of all workspaces.
  const workspace = async (): Promise<string | undefined> => {
    if (hasService) asked ??= ask()
    return await asked
  }
  const opened = async (one: DatabaseTarget, tablesSchema?: string): Promise<SyncStore> => {
    for (const secret of one.secrets) context.hide(secret)
    const store = await openExistingStore(context, one, tablesSchema)
    context.onExit(() => store.close())
    return store
  }
  if (hasService) places.push(servicePlace(context, () => context.longClient(), email, forms))
  if (target)
    places.push(databasePlace(context, await opened(target, request.tablesSchema), email, forms, workspace))
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

/** Searches each place for the address, and then for the ids of what any of them has: a delivery and its copies lack the address. */
async function findIn(
  context: Context,
  places: readonly Place[],
  known: readonly ResponseIds[],
): Promise<Outcome[]> {
  const outcomes = places.map(
    (place): Outcome => ({ place, found: [], isSearched: false, erased: 0, failure: undefined }),
  )
  const adder = (outcome: Outcome) => (found: Found) => void outcome.found.push(found)
  for (const outcome of outcomes)
    await attempt(context, outcome, 'search', () => outcome.place.search(adder(outcome)))
  const responses = [...known, ...outcomes.flatMap(({ found }) => found.flatMap(idsOf))]
  for (const outcome of outcomes) {
    const { place, found } = outcome
    if (responses.length > 0)
      await attempt(
        context,
        outcome,
        'search',
        async () => await place.searchIds?.(responses, adder(outcome)),
      )
    outcome.found = distinct(found)
    outcome.isSearched = outcome.failure === undefined
  }
  return outcomes
}

/** Returns the ids of a response that names them. */
function idsOf({ workspace_id, form_id, id }: Found): ResponseIds[] {
  if (form_id === null || !Number.isSafeInteger(id)) return []
  const workspaceId = typeof workspace_id === 'string' ? workspace_id : undefined
  return [{ workspaceId, formId: form_id, id: Number(id) }]
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

/** What connects copies that lack the address with the person. */
const UNCONNECTED = {
  place: 'unconnected',
  text: 'copies that lack the address, such as deliveries by webhook, of responses that only the service connects with the person',
}

async function report(context: Context, outcomes: readonly Outcome[], erases: boolean): Promise<ExitCode> {
  const { output } = context
  const remaining = [
    ...outcomes.flatMap(({ place }) => place.remaining?.() ?? []),
    ...(erases ? secondRun(outcomes) : []),
  ]
  const notReached = [...NOT_REACHED, ...(outcomes.some(isWholeService) ? [] : [UNCONNECTED])]
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
      not_reached: notReached,
    })
  } else {
    for (const outcome of outcomes)
      await output.line(linesOf(context, outcome, erases).map(safeIndented).join('\n'))
    for (const text of remaining) await output.line(safeIndented(text))
    await output.line(['not reached:', ...notReached.map(({ text }) => `  ${text}`)].join('\n'))
  }
  if (failed) throw failed
  return EXIT.done
}

const isWholeService = ({ place, isSearched }: Outcome): boolean => place.name === 'service' && isSearched

/** Says how a second run finds copies that are left, once nothing connects them with the person. The service does as long as it fails. */
function secondRun(outcomes: readonly Outcome[], isStopped = false): string[] {
  if (!isStopped && outcomes.every(({ place, failure }) => !failure || place.name === 'service')) return []
  // What failed or was stopped may have been done.
  const tried = outcomes.filter(({ erased, failure }) => isStopped || erased > 0 || failure)
  const ids = tried.flatMap(({ found }) => found.flatMap(idsOf))
  const flags = new Set(ids.map(({ formId, id }) => `--response ${formId}/${id}`))
  if (flags.size === 0) return []
  return [`to find copies that lack the address when you run the command again, add ${[...flags].join(' ')}`]
}

function linesOf(
  context: Context,
  { place, found, isSearched, erased, failure }: Outcome,
  erases: boolean,
): string[] {
  const counts = `found ${countOf(found.length, place.noun)}${erases ? `, erased ${erased}` : ''}`
  return [
    `${place.name}: ${isSearched || found.length > 0 ? counts : 'not searched'}`,
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
    columns.length === 1 && columns[0] === 'id' ? 'found by its id' : columns.join(', '),
  ]
    .filter((part) => part !== undefined)
    .join(' · ')
}
