import type { AttemptError } from '../domain/delivery.ts'
import { HostNotResolvedError } from './resolve-host.ts'
import { ConnectTimeoutError, TlsHandshakeError } from './safe-connect.ts'
import { AddressRefusedError } from './webhook-target.ts'

/** Returns the error of a response status: none for 2xx. Redirects are failures (DLV-05). */
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
}

/** Returns the error class of an attempt without a response; `protocol` when no other class fits. */
export function errorOfException(error: unknown): AttemptError {
  if (error instanceof AddressRefusedError) return 'address_refused'
  if (error instanceof HostNotResolvedError) return 'dns'
  if (error instanceof TlsHandshakeError) return 'tls'
  if (error instanceof ConnectTimeoutError) return 'timeout'
  // Several addresses were tried: use the last error.
  if (error instanceof AggregateError && error.errors.length > 0) return errorOfException(error.errors.at(-1))
  const { code, message } = error as { code?: unknown; message?: unknown }
  // biome-ignore lint/plugin: undici has this code for a protocol switch and an unrequested response, too, where nothing was lost
  if (code === 'UND_ERR_SOCKET' && /^bad /.test(String(message))) return 'protocol'
  return CLASS_OF_CODE[String(code)] ?? 'protocol'
}
