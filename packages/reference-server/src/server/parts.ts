import { EventEmitter } from 'node:events'
import { LIMITS } from '@formwire/contract'
import type { Context } from '../context.ts'
import { asHostName } from '../control/browser-guard.ts'
import { createBuiltInReceiver } from '../control/built-in-receiver.ts'
import { Receivers } from '../control/receivers.ts'
import { createDeliveryService } from '../delivery/index.ts'
import { Faults } from '../http/faults/faults.ts'
import { createRequestIds, Journal } from '../http/journal.ts'
import { type ReferenceServerOptions, resolveClock, resolveDns } from '../options.ts'
import { ByteBudget } from '../policy/byte-budget.ts'
import { randomText, systemRandom } from '../random.ts'
import type { TimeSource } from '../real-timers.ts'
import type { BootstrapCredentials } from '../services/bootstrap-credentials.ts'
import type { Settings } from '../settings.ts'
import { FormsTable } from '../store/forms.ts'
import { State } from '../store/state.ts'

const ADMIN_TOKEN_LENGTH = 32

/** What a server starts from in place of a seed: a snapshot, or the server that it is a fork of. */
export interface Origin {
  readonly state: State
  /** When a manual clock starts. */
  readonly now: number | undefined
  /** What a fork has from its origin. A snapshot has only hashes of keys, so that the server prints new ones. */
  readonly forked?: { readonly credentials: BootstrapCredentials; readonly adminToken: string }
}

/** What the APIs of a server work on. None of it needs another part that is created later. */
export type ServerParts = ReturnType<typeof composeParts>

/** Creates the parts of a server. Its state is empty unless it has an origin. */
export function composeParts(
  options: ReferenceServerOptions,
  settings: Settings,
  origin: Origin | undefined,
  deadlines: TimeSource | undefined,
) {
  const { filesTotalMaxBytes } = settings.limits
  const clock = resolveClock(
    origin?.now !== undefined && options.clock === 'manual' ? { ...options, now: origin.now } : options,
  )
  const random = options.random?.fork?.() ?? options.random ?? systemRandom
  const adminToken =
    origin?.forked?.adminToken ?? options.adminToken ?? randomText(random, ADMIN_TOKEN_LENGTH)
  const report = options.report ?? ((cause: unknown) => console.error(cause))
  const context: Context = {
    settings,
    clock,
    random,
    state: origin?.state ?? new State({ forms: new FormsTable(settings.unspecified) }),
    // The largest body always fits, even when the limit for files is low.
    bodyBudgets: {
      withFiles: new ByteBudget(filesTotalMaxBytes + LIMITS.bodyMaxBytes),
      withoutFiles: new ByteBudget(filesTotalMaxBytes / 4 + LIMITS.bodyMaxBytes),
    },
    events: new EventEmitter(),
  }
  const delivery = createDeliveryService(context, report, resolveDns(options.dns), deadlines)
  const requestIds = createRequestIds(random)
  return {
    context,
    delivery,
    faults: new Faults(),
    journal: new Journal(requestIds, options.journalSize),
    requestIds,
    receivers: new Receivers(clock),
    builtIn: createBuiltInReceiver(context),
    adminToken,
    /** Names that `/_app` may be called by, in addition to loopback. `listen` adds its host. */
    allowedHosts: new Set((options.allowedHosts ?? []).map(asHostName)),
    /** Receives the cause of each error that the server hides from its clients. */
    report,
    /** Aborted when the server closes. */
    closing: new AbortController(),
  }
}
