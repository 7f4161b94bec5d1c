import type { Clock } from './clock.ts'
import { ManualClock, RealClock } from './clock.ts'
import type { ResolveHost } from './delivery/resolve-host.ts'
import { parseInstant } from './http/instant.ts'
import { type RandomSource, seededRandom } from './random.ts'
import type { Seed } from './seed/format.ts'
import { DEFAULT_LIMITS, type Limits, type Settings } from './settings.ts'
import { DEFAULT_UNSPECIFIED, UNSPECIFIED, type Unspecified, type UnspecifiedKey } from './unspecified.ts'

/** How a server is made. Everything has a default. */
export interface ReferenceServerOptions {
  /** What it holds at first. @default 'empty' */
  seed?: 'empty' | 'demo' | Seed
  /** `manual` stands still until it is advanced, and starts at the real now unless `now` says otherwise. @default 'real' */
  clock?: 'real' | 'manual' | Clock
  /** First instant of a manual clock: milliseconds since the epoch, ISO 8601, or a date. @default the real now */
  now?: number | string | Date
  /** `development` also allows http, and loopback on any port (HOOK-04). @default 'development', `production` once it listens off loopback */
  addressRules?: 'development' | 'production'
  /** Limits to move, or `'off'` for none. */
  limits?: Partial<Limits> | 'off'
  /** Values for what the service document leaves open, or `random:SEED` for one drawn of each. */
  unspecified?: Partial<Unspecified> | 'default' | `random:${string}`
  /** Credential of the control side. @default made up */
  adminToken?: string
  /** Root of the public links. @default where it listens; `http://formwire.test` in process */
  publicUrl?: string
  /** Names beside loopback by which clients may call the control side. */
  allowedHosts?: readonly string[]
  /** Deadline of a delivery attempt in real milliseconds, DLV-05. @default 10000 */
  deliveryTimeoutMs?: number
  /** Public origin to local target: where deliveries to a name really go. */
  routes?: Readonly<Record<string, string>>
  /**
   * Resolves the host names of webhooks: a function, or a table from name to addresses in which every other name does not
   * resolve. The address rules judge what it says. @default the operating system
   */
  dns?: ResolveHost | Readonly<Record<string, readonly string[]>>
  /** Where ids, keys and secrets come from. @default the operating system */
  random?: RandomSource
  /** API requests that the journal keeps. @default 1000 */
  journalSize?: number
  /** Where the cause of a 500 goes. @default stderr */
  report?: (cause: unknown) => void
}

/** Root of the public links of a server that does not listen. */
export const IN_PROCESS_URL = 'http://formwire.test'

/** An option that cannot be used. The message says which, and what it takes. */
export class OptionError extends TypeError {
  override readonly name = 'OptionError'
}

/** The settled options of a server. @throws OptionError */
export function settle(options: ReferenceServerOptions): Settings {
  const { addressRules = 'development', deliveryTimeoutMs = 10_000 } = options
  if (addressRules !== 'development' && addressRules !== 'production') {
    throw new OptionError('addressRules takes "development" or "production".')
  }
  if (!(Number.isInteger(deliveryTimeoutMs) && deliveryTimeoutMs > 0)) {
    throw new OptionError('deliveryTimeoutMs takes a number of milliseconds above 0.')
  }
  refuseUnusable(options)
  return {
    limits: settleLimits(options.limits),
    unspecified: settleUnspecified(options.unspecified),
    addressRules,
    deliveryTimeoutMs,
    routes: new Map(Object.entries(options.routes ?? {})),
    publicUrl: (options.publicUrl ?? IN_PROCESS_URL).replace(/\/+$/, ''),
  }
}

/** What would otherwise be found out late, or never: an empty token that nobody can send, an address that is none. */
function refuseUnusable({ adminToken, publicUrl, allowedHosts, journalSize }: ReferenceServerOptions): void {
  if (adminToken !== undefined && !(typeof adminToken === 'string' && /^[\x21-\x7e]+$/.test(adminToken))) {
    throw new OptionError('adminToken takes visible ASCII characters without white space.')
  }
  if (
    publicUrl !== undefined &&
    !(/^https?:\/\//.test(String(publicUrl)) && URL.canParse(String(publicUrl)))
  ) {
    throw new OptionError(`publicUrl takes an http or https address, not ${JSON.stringify(publicUrl)}.`)
  }
  if (allowedHosts !== undefined && !Array.isArray(allowedHosts)) {
    throw new OptionError('allowedHosts takes a list of names.')
  }
  if (journalSize !== undefined && !(Number.isInteger(journalSize) && journalSize >= 0)) {
    throw new OptionError('journalSize takes a whole number from 0.')
  }
}

function settleLimits(limits: ReferenceServerOptions['limits']): Limits {
  if (limits === 'off') {
    return Object.fromEntries(
      Object.keys(DEFAULT_LIMITS).map((name) => [name, Number.POSITIVE_INFINITY]),
    ) as unknown as Limits
  }
  if (limits !== undefined && !isTable(limits)) {
    throw new OptionError("limits takes 'off' or an object of limits.")
  }
  for (const [name, limit] of Object.entries(limits ?? {})) {
    if (!Object.hasOwn(DEFAULT_LIMITS, name)) {
      throw new OptionError(`limits.${name} is not known. Known: ${Object.keys(DEFAULT_LIMITS).join(', ')}.`)
    }
    if (!(typeof limit === 'number' && limit >= 0))
      throw new OptionError(`limits.${name} takes a number from 0.`)
  }
  return { ...DEFAULT_LIMITS, ...limits }
}

/** One value for each key; an unknown key or value is refused. `random:SEED` draws the same ones for the same seed. */
export function settleUnspecified(choice: ReferenceServerOptions['unspecified'] = 'default'): Unspecified {
  if (choice === 'default') return DEFAULT_UNSPECIFIED
  if (typeof choice === 'string') return drawUnspecified(choice)
  if (!isTable(choice)) throw new OptionError(UNSPECIFIED_TAKES)
  for (const [key, value] of Object.entries(choice)) {
    const values: readonly string[] | undefined = Object.hasOwn(UNSPECIFIED, key)
      ? UNSPECIFIED[key as UnspecifiedKey]
      : undefined
    if (!values) {
      throw new OptionError(`unspecified.${key} is not known. Known: ${Object.keys(UNSPECIFIED).join(', ')}.`)
    }
    if (!values.includes(String(value))) {
      throw new OptionError(
        `unspecified.${key} takes one of ${values.join(', ')}, not ${JSON.stringify(value)}.`,
      )
    }
  }
  // A JSON file may say `true` or `204` without quotes.
  const chosen = Object.fromEntries(Object.entries(choice).map(([key, value]) => [key, String(value)]))
  return { ...DEFAULT_UNSPECIFIED, ...chosen }
}

const UNSPECIFIED_TAKES = 'unspecified takes default, random:SEED, or an object of its keys.'

const isTable = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function drawUnspecified(choice: string): Unspecified {
  const seed = /^random:(.+)$/s.exec(choice)?.[1]
  if (seed === undefined) {
    throw new OptionError(UNSPECIFIED_TAKES)
  }
  const random = seededRandom(hashSeed(seed))
  const draw = (values: readonly string[]) => values[(random.bytes(1)[0] as number) % values.length]
  return Object.fromEntries(
    Object.entries(UNSPECIFIED).map(([key, values]) => [key, draw(values)]),
  ) as Unspecified
}

/** FNV-1a: any text makes a seed. */
function hashSeed(text: string): number {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193)
  return hash >>> 0
}

/** The resolver that the `dns` option asks for; `undefined` is the operating system's. @throws OptionError */
export function settleDns(dns: ReferenceServerOptions['dns']): ResolveHost | undefined {
  if (dns === undefined || typeof dns === 'function') return dns
  if (typeof dns !== 'object' || dns === null || !Object.values(dns).every(Array.isArray)) {
    throw new OptionError('dns takes a function, or a table from host name to a list of addresses.')
  }
  const table = new Map(Object.entries(dns).map(([name, addresses]) => [name.toLowerCase(), addresses]))
  return async (host) => table.get(host) ?? []
}

/** The clock that is asked for. @throws OptionError */
export function settleClock({ clock = 'real', now }: ReferenceServerOptions): Clock {
  if (typeof clock !== 'string') return clock
  if (clock === 'real') {
    if (now !== undefined) throw new OptionError('now is for a manual clock: say clock: "manual".')
    return new RealClock()
  }
  if (clock !== 'manual') throw new OptionError('clock takes "real", "manual" or a clock.')
  const start = now === undefined ? new RealClock().now() : instantOf(now)
  if (start === undefined || !Number.isSafeInteger(start))
    throw new OptionError('now takes an ISO 8601 date-time, such as 2026-11-21T09:30:00Z.')
  return new ManualClock(start)
}

/** Without a zone it is UTC, as everywhere else: no test depends on where it runs. */
function instantOf(now: NonNullable<ReferenceServerOptions['now']>): number | undefined {
  return typeof now === 'string' ? parseInstant(now) : new Date(now).getTime()
}
