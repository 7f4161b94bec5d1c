import type { AttemptError } from '../domain/delivery.ts'
import { HostNotResolvedError } from './resolve-host.ts'
import { ConnectTimeoutError, TlsHandshakeError } from './safe-connect.ts'
import { AddressRefusedError } from './vet-target.ts'

/** Any 2xx is a success; a redirect is a failure like any other status (DLV-05). */
export function errorOfStatus(status: number): AttemptError | null {
  return status >= 200 && status <= 299 ? null : `http_${status}`
}

const CLASS_OF_CODE: Readonly<Record<string, AttemptError>> = {
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'refused',
  ENETUNREACH: 'refused',
  EHOSTDOWN: 'refused',
  EADDRNOTAVAIL: 'refused',
  EACCES: 'refused',
  ECONNRESET: 'reset',
  ECONNABORTED: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
}

/** Class of an attempt that got no answer. What no other class fits is an answer that is not HTTP. */
export function errorOfException(error: unknown): AttemptError {
  if (error instanceof AddressRefusedError) return 'address_refused'
  if (error instanceof HostNotResolvedError) return 'dns'
  if (error instanceof TlsHandshakeError) return 'tls'
  if (error instanceof ConnectTimeoutError) return 'timeout'
  // Several addresses were tried: what the last one said.
  if (error instanceof AggregateError && error.errors.length > 0) return errorOfException(error.errors.at(-1))
  const { code, message } = error as { code?: unknown; message?: unknown }
  // undici's word for an interim answer that nobody asked for: nobody hung up.
  if (code === 'UND_ERR_SOCKET' && /^bad /.test(String(message))) return 'protocol'
  return (typeof code === 'string' ? CLASS_OF_CODE[code] : undefined) ?? 'protocol'
}
