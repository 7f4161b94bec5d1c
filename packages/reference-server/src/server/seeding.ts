import type { Context } from '../context.ts'
import type { DeliveryRecord } from '../domain/delivery.ts'
import { ServiceError } from '../domain/service-error.ts'
import { OptionError } from '../known-names.ts'
import type { ReferenceServerOptions } from '../options.ts'
import type { RandomSource } from '../random.ts'
import type { DemoHistory } from '../seed/demo-history/index.ts'
import { emptySeed } from '../seed/empty.ts'
import type { Seed } from '../seed/format.ts'
import { loadSeed } from '../seed/load.ts'
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
  #history: DemoHistory | undefined

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
    const { journal } = this.#parts
    journal.clear()
    if (this.#history) journal.addHistory(this.#history.requests)
    return base.fork()
  }

  /** Whether a delivery belongs to the history of the demo and is as it was. */
  isHistory({ id, status, attempts }: DeliveryRecord): boolean {
    const before = this.#history?.deliveries.get(id)
    return before?.status === status && before.attempts.length === attempts.length
  }

  #load({ seed, writeHistory }: LoadableSeed): void {
    const { context, journal, delivery } = this.#parts
    const credentials = loadSeed(context, seed)
    this.#history = writeHistory?.(context)
    if (seed.source) {
      const { base_url, pulled_at, scrubbed } = seed.source
      context.state.source = { base_url, pulled_at, scrubbed }
    }
    this.#keep(credentials)
    if (!this.#history) return
    journal.addHistory(this.#history.requests)
    // The history has pending deliveries.
    delivery.engine.reset()
  }

  #keep(credentials: BootstrapCredentials): void {
    const { state, random } = this.#parts.context
    this.#loaded = { credentials, base: state.fork(), ...(random.fork && { random: random.fork() }) }
  }
}

/** A seed, and the history to write once it is loaded. */
interface LoadableSeed {
  readonly seed: Seed
  readonly writeHistory?: (context: Context) => DemoHistory
}

/** Loads faker or zod only for the seeds that need them. */
async function readSeed(seed: 'demo' | Seed): Promise<LoadableSeed> {
  if (seed !== 'demo') return { seed: (await import('../seed/parse.ts')).parseSeed(seed) }
  const [{ demoSeed }, { writeDemoHistory }] = await Promise.all([
    import('../seed/demo.ts'),
    import('../seed/demo-history/index.ts'),
  ])
  return { seed: await demoSeed(), writeHistory: writeDemoHistory }
}
