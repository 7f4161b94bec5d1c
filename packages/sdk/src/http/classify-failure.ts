/** What the error of a transport tells about the request. */
export interface Failure {
  /** `false` when the connection never came up, so that nothing was carried out for certain. */
  maybeSent: boolean
  /** Trying again gives the same: a wrong certificate, say. */
  permanent: boolean
  /** The system's code, such as `ECONNREFUSED`. */
  systemCode: string | undefined
}

/** Also without a `syscall` these come before any connection is up. */
const NEVER_CONNECTED = /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$/

const CERTIFICATE = /^(?:CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|DEPTH_|SELF_SIGNED_)/

interface SystemError {
  code?: unknown
  syscall?: unknown
  cause?: unknown
  errors?: unknown
  maybeSent?: unknown
}

/**
 * Reads what a transport threw: fetch hides the system's error in `cause`, and trying several addresses gives an
 * AggregateError. In doubt the request counts as sent.
 */
export function classifyFailure(error: unknown): Failure {
  let level = error as SystemError | null | undefined
  for (let depth = 0; depth < 8 && typeof level === 'object' && level !== null; depth += 1) {
    const { code, syscall, errors } = level
    const systemCode = typeof code === 'string' ? code : undefined
    if (level.maybeSent === false) return { maybeSent: false, permanent: false, systemCode }
    if (Array.isArray(errors) && errors.length > 0) {
      const each = errors.map(classifyFailure)
      return {
        maybeSent: each.some((failure) => failure.maybeSent),
        permanent: each.every((failure) => failure.permanent),
        systemCode: systemCode ?? each[0]?.systemCode,
      }
    }
    if (systemCode !== undefined) {
      const permanent = CERTIFICATE.test(systemCode)
      const connecting = syscall === 'connect' || syscall === 'getaddrinfo'
      return {
        maybeSent: !(permanent || connecting || NEVER_CONNECTED.test(systemCode)),
        permanent,
        systemCode,
      }
    }
    level = level.cause as SystemError | undefined
  }
  return { maybeSent: true, permanent: false, systemCode: undefined }
}
