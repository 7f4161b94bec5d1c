import { isObjectOrArray } from '@formwire/internal/json'
import { isResponseTooLargeError, isUsageError } from '../errors/client-errors.ts'

/** Classification of a transport error. */
export interface Failure {
  /** `false` if no connection was established, so that the service certainly did not process the request. */
  maybeSent: boolean
  /** Whether a retry would fail as well, for example because of an invalid certificate. */
  permanent: boolean
  /** System error code, such as `ECONNREFUSED`. */
  systemCode: string | undefined
  /** The system error if there is one, otherwise the error that the transport threw. */
  cause: unknown
}

/** Codes that mean no connection was established, even without a `syscall`. */
const NEVER_CONNECTED = /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$/

/** Codes of a module that could not be loaded before the request was made. */
const FAILED_LOAD = /MODULE_NOT_FOUND$|^ERR_VM_DYNAMIC_IMPORT|^ERR_REQUIRE_ESM$|^ERR_UNKNOWN_BUILTIN_MODULE$/

const CERTIFICATE = /^(?:CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|DEPTH_|SELF_SIGNED_)/

interface SystemError {
  code?: unknown
  message?: unknown
  syscall?: unknown
  cause?: unknown
  errors?: unknown
  maybeSent?: unknown
}

/**
 * Classifies an error that a transport threw. fetch nests the system error in `cause`; connecting to several addresses gives an
 * AggregateError. If unclear, the request counts as sent.
 */
export function classifyFailure(error: unknown): Failure {
  const unclassified = { maybeSent: true, permanent: false, systemCode: undefined, cause: error }
  if (isResponseTooLargeError(error)) return { ...unclassified, permanent: true }
  if (isUsageError(error)) return { ...unclassified, maybeSent: false, permanent: true }
  let level = error as SystemError | null | undefined
  for (let depth = 0; depth < 8 && isObjectOrArray(level); depth += 1) {
    const { code, syscall, errors } = level
    const systemCode = typeof code === 'string' ? code : undefined
    const cause = level
    if (isBlockedPort(level)) return { maybeSent: false, permanent: true, systemCode, cause }
    if (level.maybeSent === false) return { maybeSent: false, permanent: false, systemCode, cause }
    if (Array.isArray(errors) && errors.length > 0) {
      const each = errors.map(classifyFailure)
      return {
        maybeSent: each.some((failure) => failure.maybeSent),
        permanent: each.every((failure) => failure.permanent),
        systemCode: systemCode ?? each[0]?.systemCode,
        cause: each[0]?.cause,
      }
    }
    if (systemCode !== undefined) {
      const wrongCertificate = CERTIFICATE.test(systemCode)
      const failedLoad = FAILED_LOAD.test(systemCode)
      const connecting = syscall === 'connect' || syscall === 'getaddrinfo'
      return {
        maybeSent: !(wrongCertificate || failedLoad || connecting || NEVER_CONNECTED.test(systemCode)),
        permanent: wrongCertificate || failedLoad || isUnexpectedContinue(level),
        systemCode,
        cause,
      }
    }
    level = level.cause as SystemError | undefined
  }
  return unclassified
}

/** Whether fetch refused the port of the URL, one of those that the fetch standard blocks, without connecting. */
export function isBlockedPort(error: unknown): boolean {
  return (error as SystemError).message === 'bad port'
}

/** Whether undici, and therefore Node's fetch, rejected a `100 Continue` that was not requested (RFC 9110, 15.2 allows it). */
export function isUnexpectedContinue(error: unknown): boolean {
  const { code, message } = error as SystemError
  return code === 'UND_ERR_SOCKET' && message === 'bad response'
}
