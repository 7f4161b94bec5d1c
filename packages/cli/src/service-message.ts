import { foreignPageText, isForeignPage } from '@formwire/internal/foreign-page'

/** The members of the SDK's errors, and of Node's, that are used here. Read by shape, so that no command loads the SDK for `instanceof`. */
export interface ServiceError extends Error {
  status?: unknown
  code?: unknown
  requestId?: unknown
  method?: unknown
  path?: unknown
  /** The message of the service, without the request. */
  reason?: unknown
  /** What is wrong with a successful response that is not one of the API, such as an HTML page. */
  problem?: unknown
  contentType?: unknown
  maxResponseBytes?: unknown
  systemCode?: unknown
  timeoutMs?: unknown
}

/**
 * Returns in words why a request failed: the message of the service, or why no response arrived. Method, path, status and request
 * id are for `--verbose` and `--json`. Undefined for any other error.
 */
export function serviceMessage(error: ServiceError): string | undefined {
  const { status, reason, problem, maxResponseBytes } = error
  if (error.name === 'ResponseTooLargeError' && maxResponseBytes === undefined)
    return 'the response has more than 4,000,000 values, the limit of this command'
  if (typeof maxResponseBytes === 'number')
    return `the response is larger than ${maxResponseBytes / 1024 ** 2} MiB, the limit of this command`
  if (isForeignPage(error) || isOtherMedia(error)) return `got ${foreignPageText(error)}`
  // The reason of other errors, such as that of a checkpoint, is a code.
  if (typeof status === 'number' && typeof reason === 'string') return withoutPeriod(reason)
  const connection = connectionProblem(error)
  if (connection !== undefined || typeof problem !== 'string') return connection
  return `the response of the server is not one of the API: ${problem}`
}

/** Whether a successful response is not JSON by its media type. */
function isOtherMedia({ problem, contentType }: ServiceError): boolean {
  return typeof problem === 'string' && typeof contentType === 'string' && !/[/+]json\b/i.test(contentType)
}

/** Returns in words why a request failed, and of another error its message without the request. */
export function reasonOf(error: unknown): string {
  const { method, path, message } = error as ServiceError
  const request = `${method} ${path} `
  return (
    serviceMessage(error as ServiceError) ??
    withoutPeriod(message.startsWith(request) ? message.slice(request.length) : message)
  )
}

/** Returns a text of another program without its final period. */
export const withoutPeriod = (text: string): string => (text.endsWith('.') ? text.slice(0, -1) : text)

/** Returns a sentence of another program as a part of one: its first word in lower case, if it is an ordinary one. */
export function asClause(sentence: string): string {
  const [word = ''] = sentence.split(' ', 1)
  const isName = word.startsWith('Formwire') || word.slice(1) !== word.slice(1).toLowerCase()
  const start = isName ? word : word.toLowerCase()
  return withoutPeriod(start + sentence.slice(word.length))
}

/** Levels of causes and of addresses that are searched for a code. */
const MAX_DEPTH = 5

/** Why a request got no response, by the codes of Node. */
const PROBLEMS: readonly (readonly [codes: RegExp, problem: string])[] = [
  [/^ECONNREFUSED$/, 'connection refused'],
  [
    /^(?:ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET)$/,
    'the connection was closed before a response arrived',
  ],
  [/^ENOTFOUND$/, 'host not found'],
  [/^EAI_/, 'the host name could not be looked up'],
  [/^(?:EHOST|ENET)/, 'the host could not be reached'],
  // The codes of undici, which the CLI loads for a proxy alone.
  [/^(?:UND_ERR_ABORTED|UND_ERR_PRX_TLS)$/, 'the proxy refused the connection'],
  [/^(?:ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/, 'no response in time'],
  [/^CERT_HAS_EXPIRED$/, 'its certificate has expired'],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'its certificate is for another host'],
  [/^(?:CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/, 'its certificate is not trusted'],
  [/^(?:EPROTO$|ERR_SSL_|ERR_TLS_)/, 'it did not respond with TLS'],
  [/^HPE_/, 'it did not respond with HTTP'],
]

/** Returns in words why no response arrived, such as `connection refused`. Undefined if the error is not one of a connection. */
export function connectionProblem(error: unknown): string | undefined {
  const { timeoutMs } = Object(error) as ServiceError
  if (typeof timeoutMs === 'number') return `no response within ${timeoutMs / 1000} s`
  const code = connectionCode(error)
  return PROBLEMS.find(([codes]) => code !== undefined && codes.test(code))?.[1]
}

/** Returns the code of the system, such as `ECONNREFUSED`, if the error is one of a connection. */
export function connectionCode(error: unknown): string | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < MAX_DEPTH; depth += 1) {
    const { code, systemCode, cause, errors } = at as ServiceError & { errors?: readonly unknown[] }
    const found = [systemCode, code].find((one) =>
      PROBLEMS.some(([codes]) => typeof one === 'string' && codes.test(one)),
    )
    if (found !== undefined) return found as string
    // Both addresses of localhost failed.
    at = errors?.[0] ?? cause
  }
  return undefined
}
