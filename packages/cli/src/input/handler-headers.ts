import { usage } from '../failure.ts'

/** As `validateHeaderName` and `validateHeaderValue` of `node:http`, which takes a quarter of the time of a start to load. */
const NAME = /^[\w!#$%&'*+.^`|~-]+$/
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/** Set by listen itself, so that the handler receives exactly the delivery. */
const RESERVED = /^(?:x-service-.*|content-length|content-type|transfer-encoding|connection|expect)$/i

/**
 * Parses `--header NAME:VALUE` and adds it to the previous ones. The value never appears in an error.
 * @throws Failure exit 2
 */
export function parseHandlerHeader(
  text: string,
  previous: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const colon = text.indexOf(':')
  const name = text.slice(0, Math.max(0, colon)).trim()
  const value = text.slice(colon + 1).trim()
  if (colon <= 0) throw usage('--header must be NAME:VALUE', 'for example --header "X-Tenant: acme"')
  if (!NAME.test(name) || !VALUE.test(value))
    throw usage(`--header ${JSON.stringify(name.slice(0, 60))} is not a valid HTTP header`)
  if (RESERVED.test(name)) throw usage(`--header cannot set ${name}: it is part of the delivery`)
  return { ...previous, [name]: value }
}
