const DELIVERED = 'Delivered means a 2xx response.'

const MEANINGS: Readonly<Record<string, string>> = {
  timeout:
    'The receiver did not respond within the deadline. Respond with a 2xx status first, then process the event.',
  dns: 'The host name could not be resolved.',
  refused: 'Connection refused: nothing is listening there.',
  reset: 'The connection was closed before the response was complete.',
  tls: 'The TLS handshake failed. Check the certificate.',
  address_refused: 'The host now resolves to a private, loopback or reserved address, which is not allowed.',
  protocol: 'The response was not valid HTTP, or began with an unrequested 100 Continue.',
}

/** Explains the error class of an attempt to the developer of the receiver (DLV-05). */
export function explainError(error: string | null): string {
  if (error === null) return ''
  const status = /^http_(\d+)$/.exec(error)?.[1]
  if (status?.startsWith('3'))
    return `The receiver responded with ${status}. Redirects are not followed. ${DELIVERED}`
  if (status !== undefined) return `The receiver responded with ${status}. ${DELIVERED}`
  return MEANINGS[error] ?? error
}
