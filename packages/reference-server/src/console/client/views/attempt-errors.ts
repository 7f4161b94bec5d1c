const MEANINGS: Readonly<Record<string, string>> = {
  timeout: 'The receiver did not answer within the deadline. Answer first, work afterwards.',
  dns: 'The host name did not resolve.',
  refused: 'Nothing listens at this address and port.',
  reset: 'The connection broke before the answer was complete.',
  tls: 'The TLS handshake failed: look at the certificate.',
  address_refused: 'The address rules refuse what the host resolves to now: private, loopback or reserved.',
  protocol: 'The answer was not HTTP.',
}

/** What an attempt's error class means to the one who runs the receiver (DLV-05). */
export function explainError(error: string | null): string {
  if (error === null) return ''
  const status = /^http_(\d+)$/.exec(error)?.[1]
  if (status?.startsWith('3'))
    return `The receiver answered ${status}: redirects are not followed, only a 2xx counts.`
  if (status !== undefined) return `The receiver answered ${status}: only a 2xx counts.`
  return MEANINGS[error] ?? error
}
