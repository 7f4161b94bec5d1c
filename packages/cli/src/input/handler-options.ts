import type { OptionSpec, OptionsOf } from '../command.ts'
import { usage } from '../failure.ts'
import { handlerUrl } from './handler-url.ts'

/** `--header`, for every command that calls a handler. */
export const HEADER = {
  name: 'header',
  value: 'name:value',
  description: 'send this header to the handler',
  many: true,
  parse: (text: string) => [parseHandlerHeader(text)],
} as const satisfies OptionSpec

/** `--insecure`, for every command that calls a handler. */
export const INSECURE = {
  name: 'insecure',
  description: 'accept any TLS certificate of the handler, such as a self-signed one',
} as const satisfies OptionSpec

export const SECRET_STDIN = {
  name: 'secret-stdin',
  description: 'read the secret from the first line of stdin',
} as const satisfies OptionSpec

/** The options of commands that send one event to a handler. */
export const SEND_OPTIONS = [
  {
    name: 'forward-to',
    value: 'url',
    description: 'URL of the handler, localhost:PORT or a port',
    isRequired: true,
    parse: (text: string) => handlerUrl(text),
  },
  HEADER,
  INSECURE,
  SECRET_STDIN,
] as const satisfies readonly OptionSpec[]

/** The members of the outcome that commands that send one event print. */
export const SENT_FIELDS = ['delivery_id', 'event', 'status', 'duration_ms'] as const

/** Returns the handler. @throws Failure exit 2 without `--forward-to` */
export function requiredTarget({ forwardTo }: OptionsOf<typeof SEND_OPTIONS>): string {
  if (forwardTo !== undefined) return forwardTo
  throw usage(
    'missing required option --forward-to URL',
    'for example --forward-to http://127.0.0.1:3000/hook',
  )
}

/** As `validateHeaderName` and `validateHeaderValue` of `node:http`, which takes a quarter of the time of a start to load. */
const NAME = /^[\w!#$%&'*+.^`|~-]+$/
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/** Set by listen itself, so that the handler receives exactly the delivery. */
const RESERVED = /^(?:x-service-.*|content-length|content-type|transfer-encoding|connection|expect)$/i

/** Parses `--header NAME:VALUE`. The value never appears in an error. @throws Failure exit 2 */
function parseHandlerHeader(text: string): [name: string, value: string] {
  const colon = text.indexOf(':')
  const name = text.slice(0, Math.max(0, colon)).trim()
  const value = text.slice(colon + 1).trim()
  if (colon <= 0) throw usage('--header must be NAME:VALUE', 'for example --header "X-Tenant: acme"')
  if (!NAME.test(name) || !VALUE.test(value))
    throw usage(`--header ${JSON.stringify(name.slice(0, 60))} is not a valid HTTP header`)
  if (RESERVED.test(name)) throw usage(`--header cannot set ${name}: it is part of the delivery`)
  return [name, value]
}
