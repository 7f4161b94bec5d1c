import type { Context } from '../context.ts'
import { STOP_NOTES, stopDelivery } from '../domain/delivery.ts'
import { ServiceError } from '../domain/service-error.ts'
import { OptionError } from '../known-names.ts'
import type { ReferenceServerOptions } from '../options.ts'
import type { RandomSource } from '../random.ts'
import type { Seed } from '../seed/format.ts'
import { emptySeed, loadSeed } from '../seed/load.ts'
import { type BootstrapCredentials, printKeys, requireWriter } from '../services/bootstrap-credentials.ts'
import { readSnapshot } from '../services/snapshots.ts'
import type { Settings } from '../settings.ts'
import type { State } from '../store/state.ts'
import type { Origin, ServerParts } from './parts.ts'

/** Reads the `snapshot` option. @throws OptionError for a snapshot that is damaged or of another version. */
export function originOfSnapshot(
  { seed, snapshot }: ReferenceServerOptions,
  settings: Settings,
): Origin | undefined {
  if (snapshot === undefined) return undefined
  if (seed !== undefined) throw new OptionError('seed and snapshot cannot be combined; pass one of them.')
  try {
    const { state, takenAt } = readSnapshot(settings, snapshot as Readonly<Record<string, unknown>>)
    requireWriter(state)
    return { state, now: takenAt }
  } catch (cause) {
    if (cause instanceof ServiceError) throw new OptionError(`snapshot: ${cause.message}`, { cause })
    throw cause
  }
}

/** Loads the initial state of a server, and keeps it for `reset`. */
export class Seeding {
  /** Resolves once the seed is loaded. */
  readonly ready: Promise<void>
  readonly #parts: ServerParts
  #loaded:
    | { readonly credentials: BootstrapCredentials; readonly base: State; readonly random?: RandomSource }
    | undefined
  /** The state of the demo whose log was not read yet. */
  #unread: State | undefined

  constructor(parts: ServerParts, { seed = 'empty' }: ReferenceServerOptions, origin: Origin | undefined) {
    this.#parts = parts
    this.ready = Promise.resolve()
    if (origin) this.#keep(origin.forked?.credentials ?? printKeys(parts.context))
    else if (seed === 'empty') this.#load({ seed: emptySeed() })
    else {
      this.ready = readSeed(seed).then((read) => this.#load(read))
      // A caller that does not await `ready` must not get an unhandled rejection.
      this.ready.catch(() => undefined)
    }
  }

  /** @throws Error before the seed is loaded. */
  requireLoaded() {
    if (!this.#loaded) throw new Error('The seed is not loaded yet; await server.ready first.')
    return this.#loaded
  }

  /** The server's own keys. @throws Error before the seed is loaded. */
  get credentials(): BootstrapCredentials {
    return this.requireLoaded().credentials
  }

  /** Returns a copy of the initial state, and restarts the random source and the journal. */
  restart(): State {
    const { base, random } = this.requireLoaded()
    if (random) this.#parts.context.random = random.fork?.() ?? random
    this.#parts.journal.clear()
    this.#unread = base.fork()
    return this.#unread
  }

  #load({ seed, playWeek }: LoadableSeed): void {
    const { context, delivery } = this.#parts
    const credentials = loadSeed(context, seed)
    if (seed.source) {
      const { base_url, pulled_at, scrubbed } = seed.source
      context.state.source = { base_url, pulled_at, scrubbed }
    }
    if (playWeek) for (let kept = 0; kept < WEEK_MAX; kept += 1) context.state.deliveries.nextId()
    this.#keep(credentials)
    if (!playWeek) return
    const { base } = this.requireLoaded()
    const loadedAt = context.clock.now()
    this.#unread = context.state
    delivery.beforeRead = () => {
      // A restored snapshot is another state.
      if (context.state !== this.#unread) return
      this.#unread = undefined
      addWeek(playWeek(base, context, loadedAt), this.#parts)
    }
  }

  #keep(credentials: BootstrapCredentials): void {
    const { state, random } = this.#parts.context
    this.#loaded = { credentials, base: state.fork(), ...(random.fork && { random: random.fork() }) }
  }
}

/** Adds a week of deliveries to the state, as far as their endpoints, forms and responses are still there. */
function addWeek(week: State, { context: { state }, delivery: { engine } }: ServerParts): void {
  for (const endpoint of week.endpoints.all()) {
    const own = state.endpoints.get(endpoint.id)
    if (!own || state.forms.get(own.formId)?.trashedAt !== null) continue
    state.endpoints.put({ ...endpoint, ...own })
    for (const delivery of week.deliveries.ofEndpoint(endpoint.id, Number.NEGATIVE_INFINITY)) {
      if (!state.responses.get(delivery.responseId)) continue
      const isStopped = delivery.status === 'pending' && !own.active
      engine.adopt(isStopped ? stopDelivery(delivery, STOP_NOTES.paused, false) : delivery)
    }
  }
}

/** A seed, and what plays the week before `end` on a copy of its state. */
interface LoadableSeed {
  readonly seed: Seed
  readonly playWeek?: (base: State, context: Context, end: number) => State
}

/** Positions in the log that are left free for the week of the demo. */
const WEEK_MAX = 1_000

/** Loads faker or zod only for the seeds that need them. */
async function readSeed(seed: 'demo' | Seed): Promise<LoadableSeed> {
  if (seed !== 'demo') return { seed: (await import('../seed/parse.ts')).parseSeed(seed) }
  const [{ demoSeed }, { playDemoWeek }] = await Promise.all([
    import('../seed/demo.ts'),
    import('../seed/demo-week.ts'),
  ])
  return { seed: await demoSeed(), playWeek: playDemoWeek }
}
