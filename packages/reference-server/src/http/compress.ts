import { gzipSync } from 'node:zlib'
import { acceptsGzip } from './accepts-gzip.ts'
import type { IncomingMessage, OutgoingMessage } from './message.ts'

/** Compresses a text for a client that takes it: the `compression` deviation. */
export function compress(answer: OutgoingMessage, request: IncomingMessage): void {
  if (typeof answer.body !== 'string' || !acceptsGzip(request.headers.get('accept-encoding'))) return
  answer.body = gzipSync(answer.body)
  answer.headers['content-encoding'] = 'gzip'
  answer.headers.vary = 'Accept-Encoding'
}
