import { badRequest } from '../domain/service-error.ts'

const NO_PARAMETERS: ReadonlyMap<string, string> = new Map()

/**
 * Returns the first value of each query parameter. `+` is a space, as in forms. Throws `bad_request` for invalid
 * percent-encoding (ERR-01).
 */
export function parseQuery(query: string): ReadonlyMap<string, string> {
  if (query === '') return NO_PARAMETERS
  const parameters = new Map<string, string>()
  for (const pair of query.split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const name = decode(equals < 0 ? pair : pair.slice(0, equals))
    const value = equals < 0 ? '' : decode(pair.slice(equals + 1))
    if (!parameters.has(name)) parameters.set(name, value)
  }
  return parameters
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.includes('+') ? text.replaceAll('+', ' ') : text)
  } catch {
    throw badRequest('The query contains invalid percent-encoding.')
  }
}
