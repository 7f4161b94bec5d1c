import { parseArgs } from 'node:util'
import { HELP_PAGE, helpUrlOf } from '@formwire/internal/help-page'
import { urlOf as parsedUrl } from '@formwire/internal/url'
import { parseInstant } from '../domain/instant.ts'
import { describeUnknown } from '../known-names.ts'

/** The parsed flags of `formwire-server`. */
export type ServerFlags = ReturnType<typeof readFlags>

/** What a usage error is about. Each has a section in the help page. */
export type UsageCode =
  | 'server_usage'
  | 'port_in_use'
  | 'cannot_listen'
  | 'seed_file'
  | 'state_file'
  | 'unspecified_file'

/** A usage error (exit code 2). The message names the flag and its valid values. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  readonly code: UsageCode

  constructor(message: string, code: UsageCode = 'server_usage') {
    super(message)
    this.code = code
  }

  /** URL of the page that explains the error. */
  get helpUrl(): string {
    return helpUrlOf(this.code)
  }
}

export const HELP = `Usage: formwire-server [options]          run the service in memory
       formwire-server receiver [options] run a mock webhook receiver

  --port N                    port to listen on; 0 = any free port (default: 8787)
  --host ADDRESS              address to listen on (default: 127.0.0.1)
  --seed demo|empty|FILE.json initial data (default: demo)
  --state FILE                load FILE if it exists, instead of --seed, and save to it on exit
  --clock real|manual         manual only moves with POST /_app/clock/advance (default: real)
  --now ISO                   start of a manual clock (default: the current time)
  --address-rules RULES       development or production (default: development on loopback)
  --admin-token TOKEN         token of /_app (default: FORMWIRE_ADMIN_TOKEN, or generated)
  --allowed-host NAME         extra Host name accepted for /_app; repeatable
  --public-url URL            root URL of public links (default: the listening address)
  --unspecified CHOICE        default, random:SEED, or a JSON file (default: default)
  --rate-limits default|off   per-minute rate limits (default: default)
  --delivery-timeout-ms N     deadline of a delivery attempt (default: 10000)
  --route FROM=TO             send deliveries for host FROM to a local receiver; repeatable
  --json                      print the first line as one JSON object
  --help, --version           show this help, or the version

Errors and what to do about them: ${HELP_PAGE}
`

const OPTIONS = {
  port: { type: 'string' },
  host: { type: 'string' },
  seed: { type: 'string' },
  state: { type: 'string' },
  clock: { type: 'string' },
  now: { type: 'string' },
  'address-rules': { type: 'string' },
  'admin-token': { type: 'string' },
  'allowed-host': { type: 'string', multiple: true },
  'public-url': { type: 'string' },
  unspecified: { type: 'string' },
  'rate-limits': { type: 'string' },
  'delivery-timeout-ms': { type: 'string' },
  route: { type: 'string', multiple: true },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const

/** The long names of all flags. */
export const SERVER_FLAGS: readonly string[] = Object.keys(OPTIONS).map((name) => `--${name}`)

/** Parses the command line. @throws UsageError */
export function readFlags(argv: readonly string[], env: Readonly<Record<string, string | undefined>>) {
  const values = parse(argv)
  return {
    port: wholeNumber('port', values.port ?? '8787', 0, 65_535),
    host: notEmpty('host', values.host ?? '127.0.0.1'),
    seed: notEmpty('seed', values.seed ?? 'demo'),
    state: given(values.state, (text) => notEmpty('state', text)),
    clock: oneOf('clock', values.clock ?? 'real', ['real', 'manual']),
    now: given(values.now, (text) => startOf(text, values.clock)),
    addressRules: given(values['address-rules'], (text) =>
      oneOf('address-rules', text, ['development', 'production']),
    ),
    // Container env files leave unset variables empty.
    adminToken:
      given(values['admin-token'], (text) => tokenOf(text, '--admin-token')) ??
      given(env.FORMWIRE_ADMIN_TOKEN || undefined, (text) => tokenOf(text, 'FORMWIRE_ADMIN_TOKEN')),
    unspecified: notEmpty('unspecified', values.unspecified ?? 'default'),
    rateLimits: oneOf('rate-limits', values['rate-limits'] ?? 'default', ['default', 'off']),
    deliveryTimeoutMs: given(values['delivery-timeout-ms'], (text) =>
      wholeNumber('delivery-timeout-ms', text, 1, 3_600_000),
    ),
    routes: (values.route ?? []).map(routeOf),
    allowedHosts: values['allowed-host'] ?? [],
    publicUrl: given(values['public-url'], urlOf),
    json: values.json ?? false,
    help: values.help ?? false,
    version: values.version ?? false,
  }
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: false, strict: true }).values
  } catch (error) {
    const { message } = error as Error
    // biome-ignore lint/plugin: Node names the option in its text alone
    const unknown = /^Unknown option '(--?[^'=]+)/.exec(message)?.[1]
    if (unknown === undefined) throw new UsageError(message)
    throw new UsageError(describeUnknown('option', unknown, SERVER_FLAGS))
  }
}

function given<Value>(text: string | undefined, read: (text: string) => Value): Value | undefined {
  return text === undefined ? undefined : read(text)
}

function wholeNumber(flag: string, text: string, min: number, max: number): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (number >= min && number <= max) return number
  throw new UsageError(`--${flag} must be an integer from ${min} to ${max}, got ${JSON.stringify(text)}.`)
}

function oneOf<const Word extends string>(flag: string, text: string, words: readonly Word[]): Word {
  const word = words.find((known) => known === text)
  if (word !== undefined) return word
  throw new UsageError(`--${flag} must be ${words.join(' or ')}, got ${JSON.stringify(text)}.`)
}

function startOf(text: string, clock: string | undefined): string {
  if (parseInstant(text) === undefined)
    throw new UsageError(
      `--now must be an ISO 8601 date or date-time, such as 2026-11-21T09:30:00Z, got ${JSON.stringify(text)}.`,
    )
  if (clock === 'manual') return text
  throw new UsageError('--now requires --clock manual.')
}

function notEmpty(flag: string, text: string): string {
  if (text !== '') return text
  throw new UsageError(`--${flag} must not be empty.`)
}

/** The message never contains the token. */
function tokenOf(text: string, source: string): string {
  if (/^[\x21-\x7e]+$/.test(text)) return text
  throw new UsageError(`${source} must contain only printable ASCII, no whitespace.`)
}

function routeOf(text: string): readonly [string, string] {
  const equals = text.indexOf('=')
  if (equals > 0 && equals < text.length - 1) return [text.slice(0, equals), text.slice(equals + 1)]
  throw new UsageError('--route must be FROM=TO, such as https://hooks.example.com=http://127.0.0.1:4000.')
}

function urlOf(text: string): string {
  if (/^https?:\/\//.test(text) && parsedUrl(text)) return text
  throw new UsageError(`--public-url must be an http or https URL, got ${JSON.stringify(text)}.`)
}
