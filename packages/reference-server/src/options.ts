import { LIMITS } from '@formwire/contract'
import { type Given, given } from '@formwire/internal/given'
import { isObject, isObjectOrArray } from '@formwire/internal/json'
import { urlOf } from '@formwire/internal/url'
import type { Clock } from './clock/index.ts'
import { ManualClock, RealClock } from './clock/index.ts'
import type { ResolveHost } from './delivery/resolve-host.ts'
import { parseInstant } from './domain/instant.ts'
import { describeUnknown, firstUnknown, namesOf, OptionError, refuseUnknownOptions } from './known-names.ts'
import { ADDRESS_RULES, type AddressRules } from './policy/address-rules.ts'
import { type RandomSource, seededRandom } from './random.ts'
import type { Seed } from './seed/format.ts'
import { DEFAULT_LIMITS, type Limits, type Settings } from './settings.ts'
import { DEFAULT_UNSPECIFIED, UNSPECIFIED, type Unspecified, type UnspecifiedKey } from './unspecified.ts'

/** Options of `createReferenceServer`. Each has a default. */
export interface ReferenceServerOptions {
  /** The initial data. @default 'empty' */
  seed?: 'empty' | 'demo' | Seed | undefined
  /**
   * A snapshot to start from instead of a seed: what `app.snapshot.take()` or `GET /_app/snapshot` returned. A manual clock
   * starts when it was taken. Its keys keep working, and the server's own two keys are new.
   */
  snapshot?: object | undefined
  /** A `manual` clock moves only when it is advanced, and starts at the real time unless `now` is set. @default 'real' */
  clock?: 'real' | 'manual' | Clock | undefined
  /** Start of a manual clock: milliseconds since the epoch, ISO 8601, or a date. @default the real time */
  now?: number | string | Date | undefined
  /** `development` also allows http, and loopback on any port (HOOK-04); `loopback` allows nothing else, and looks no name up. @default 'development', or 'production' when listening on other than loopback */
  addressRules?: AddressRules | undefined
  /** Limits to change, or `'off'` to disable them all. */
  limits?: Given<Limits> | 'off' | undefined
  /** Values for unspecified behaviour, or `random:SEED` to draw a value for each key. */
  unspecified?: Given<Unspecified> | 'default' | `random:${string}` | undefined
  /** Token of the control API. @default generated */
  adminToken?: string | undefined
  /** Base URL of the public links. @default the server's URL; `http://formwire.test` in process */
  publicUrl?: string | undefined
  /** Host names besides loopback that the control API accepts. */
  allowedHosts?: readonly string[] | undefined
  /** Deadline of a delivery attempt, in real milliseconds whatever the clock (DLV-05). @default 10000 */
  deliveryTimeoutMs?: number | undefined
  /**
   * Sends the deliveries of public hosts to local receivers.
   *
   * @example { 'https://hooks.example.com': 'http://127.0.0.1:4000' }
   */
  routes?: Readonly<Record<string, string>> | undefined
  /**
   * Resolves the host names of webhooks: a function, or a table from name to IP addresses in which no other name
   * resolves. The address rules apply to the result. @default the operating system's resolver
   *
   * @example { 'hooks.example.com': ['93.184.216.34'] }
   */
  dns?: ResolveHost | Readonly<Record<string, readonly string[]>> | undefined
  /** Source of ids, keys and secrets. @default the operating system */
  random?: RandomSource | undefined
  /** Number of API requests that the journal keeps. @default 1000 */
  journalSize?: number | undefined
  /** Receives the cause of a 500. @default writes to stderr */
  report?: ((cause: unknown) => void) | undefined
}

/** Base URL of the public links of a server that does not listen. */
export const IN_PROCESS_URL = 'http://formwire.test'

/** Names of the options, for functions that accept these and more. */
export const SERVER_OPTIONS = namesOf<ReferenceServerOptions>({
  seed: true,
  snapshot: true,
  clock: true,
  now: true,
  addressRules: true,
  limits: true,
  unspecified: true,
  adminToken: true,
  publicUrl: true,
  allowedHosts: true,
  deliveryTimeoutMs: true,
  routes: true,
  dns: true,
  random: true,
  journalSize: true,
  report: true,
})

/** Validates the options of a server and fills in defaults. @throws OptionError */
export function resolveSettings(options: ReferenceServerOptions): Settings {
  refuseUnknownOptions(options, SERVER_OPTIONS, 'createReferenceServer')
  const { addressRules = 'development', deliveryTimeoutMs = LIMITS.deliveryTimeoutMs } = options
  if (!ADDRESS_RULES.includes(addressRules))
    throw new OptionError(`addressRules must be one of ${ADDRESS_RULES.join(', ')}.`)
  if (!(Number.isInteger(deliveryTimeoutMs) && deliveryTimeoutMs > 0))
    throw new OptionError('deliveryTimeoutMs must be a positive integer.')
  refuseUnusable(options)
  return {
    limits: resolveLimits(options.limits),
    unspecified: resolveUnspecified(options.unspecified),
    addressRules,
    deliveryTimeoutMs,
    hostOverrides: new Map(Object.entries(options.routes ?? {})),
    publicUrl: (options.publicUrl ?? IN_PROCESS_URL).replace(/\/+$/, ''),
  }
}

/** Refuses values that would fail later or silently, such as an empty token or an invalid URL. */
function refuseUnusable({ adminToken, publicUrl, allowedHosts, journalSize }: ReferenceServerOptions): void {
  if (adminToken !== undefined && !(typeof adminToken === 'string' && /^[\x21-\x7e]+$/.test(adminToken)))
    throw new OptionError('adminToken must contain only printable ASCII characters, no white space.')
  if (
    publicUrl !== undefined &&
    !(/^https?:\/\//.test(String(publicUrl)) && urlOf(String(publicUrl)) !== undefined)
  ) {
    throw new OptionError(`publicUrl must be an http or https URL, got ${JSON.stringify(publicUrl)}.`)
  }
  if (allowedHosts !== undefined && !Array.isArray(allowedHosts))
    throw new OptionError('allowedHosts must be an array of host names.')
  if (journalSize !== undefined && !(Number.isInteger(journalSize) && journalSize >= 0))
    throw new OptionError('journalSize must be an integer of 0 or more.')
}

function resolveLimits(limits: ReferenceServerOptions['limits']): Limits {
  if (limits === 'off') {
    return Object.fromEntries(
      Object.keys(DEFAULT_LIMITS).map((name) => [name, Number.POSITIVE_INFINITY]),
    ) as unknown as Limits
  }
  if (limits !== undefined && !isObject(limits))
    throw new OptionError("limits must be 'off' or an object of limits.")
  refuseUnknownNames('limit', limits ?? {}, Object.keys(DEFAULT_LIMITS))
  const changed = given(limits ?? {})
  for (const [name, limit] of Object.entries(changed)) {
    if (!(typeof limit === 'number' && limit >= 0))
      throw new OptionError(`limits.${name} must be a number of 0 or more.`)
  }
  return { ...DEFAULT_LIMITS, ...changed }
}

/** Returns a value for each key. `random:SEED` draws the same values for the same seed. @throws OptionError for an unknown key or value. */
export function resolveUnspecified(choice: ReferenceServerOptions['unspecified'] = 'default'): Unspecified {
  if (choice === 'default') return DEFAULT_UNSPECIFIED
  if (typeof choice === 'string') return drawUnspecified(choice)
  if (!isObject(choice)) throw notUnspecified(choice)
  refuseUnknownNames('unspecified key', choice, Object.keys(UNSPECIFIED))
  const entries = Object.entries(given(choice))
  for (const [key, value] of entries) {
    const values: readonly string[] = UNSPECIFIED[key as UnspecifiedKey]
    if (!values.includes(String(value))) {
      throw new OptionError(
        `unspecified.${key} must be one of ${values.join(', ')}; got ${JSON.stringify(value)}.`,
      )
    }
  }
  // A JSON file may have `true` or `204` without quotes.
  const chosen = Object.fromEntries(entries.map(([key, value]) => [key, String(value)]))
  return { ...DEFAULT_UNSPECIFIED, ...chosen }
}

function refuseUnknownNames(what: string, given: object, known: readonly string[]): void {
  const name = firstUnknown(given, known)
  if (name !== undefined) throw new OptionError(describeUnknown(what, name, known))
}

const notUnspecified = (got: unknown): OptionError =>
  new OptionError(
    `unspecified must be default, random:SEED, or an object of its keys; got ${JSON.stringify(got)}.`,
  )

function drawUnspecified(choice: string): Unspecified {
  const seed = /^random:(.+)$/s.exec(choice)?.[1]
  if (seed === undefined) throw notUnspecified(choice)
  const random = seededRandom(hashSeed(seed))
  const draw = (values: readonly string[]) => values[(random.bytes(1)[0] as number) % values.length]
  return Object.fromEntries(
    Object.entries(UNSPECIFIED).map(([key, values]) => [key, draw(values)]),
  ) as Unspecified
}

/** FNV-1a, so that any text can be a seed. */
function hashSeed(text: string): number {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193)
  return hash >>> 0
}

/** Returns the resolver of the `dns` option, `undefined` for the operating system's. @throws OptionError */
export function resolveDns(dns: ReferenceServerOptions['dns']): ResolveHost | undefined {
  if (dns === undefined || typeof dns === 'function') return dns
  if (!isObjectOrArray(dns) || !Object.values(dns).every(Array.isArray))
    throw new OptionError('dns must be a function, or an object from host name to an array of addresses.')
  const table = new Map(Object.entries(dns).map(([name, addresses]) => [name.toLowerCase(), addresses]))
  return async (host) => table.get(host) ?? []
}

/** As seconds, the years 1973 to 5138; as milliseconds, a few months from 1970 on, which are almost certainly a mistake. */
const SECONDS_FROM = 100_000_000
const SECONDS_TO = 100_000_000_000

/** Returns the clock of the `clock` and `now` options. @throws OptionError */
export function resolveClock({ clock = 'real', now }: ReferenceServerOptions): Clock {
  if (typeof clock !== 'string') return clock
  if (clock === 'real') {
    if (now !== undefined) throw new OptionError('now requires a manual clock; set clock: "manual".')
    return new RealClock()
  }
  if (clock !== 'manual') throw new OptionError('clock must be "real", "manual" or a clock object.')
  const start = now === undefined ? new RealClock().now() : instantOf(now)
  if (start === undefined || !Number.isSafeInteger(start))
    throw new OptionError('now must be an ISO 8601 date-time, such as 2026-11-21T09:30:00Z.')
  if (typeof now !== 'string' && start >= SECONDS_FROM && start < SECONDS_TO)
    throw new OptionError(`now must be in milliseconds; ${start} looks like seconds: pass now * 1000.`)
  return new ManualClock(start)
}

/** A text without a zone is UTC, so that tests do not depend on the machine's time zone. */
function instantOf(now: NonNullable<ReferenceServerOptions['now']>): number | undefined {
  return typeof now === 'string' ? parseInstant(now) : new Date(now).getTime()
}
