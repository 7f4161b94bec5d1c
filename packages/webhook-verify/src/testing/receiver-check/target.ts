import type { SleepClock } from '@formwire/internal/clock'
import { urlOf } from '@formwire/internal/url'
import { checkFunction, checkOption, invalidOption } from '../../verification/check-options.ts'
import type { RawRequest } from '../../verification/verify-options.ts'
import type { ReceiverCheckName } from './checks.ts'
import { EXCERPT_BYTES, type NextDelivery, type Probe, type Reply } from './probe.ts'
import { sendHttp } from './send-http.ts'

/** The receiver to check: a URL, or a function in this process. */
export interface ReceiverTarget {
  /** The receiver's URL. With `fetch`, the URL of its requests. @default 'http://receiver.example/webhooks' */
  url?: string | URL | undefined
  /** A fetch handler, such as that of `/fetch`, `/next`, Hono or a Worker. */
  fetch?: ((request: Request) => Response | Promise<Response>) | undefined
  /** A receiver of headers and raw body, such as that of the main entry point. */
  handle?: ((request: RawRequest) => HandledResponse | Promise<HandledResponse>) | undefined
}

/** The response of a receiver in this process. `body` is quoted in hints if it is text. */
interface HandledResponse {
  status: number
  body?: unknown
}

/** How probes reach the receiver. */
export interface Sender {
  send(probe: Probe, signal: AbortSignal): Promise<Reply>
  /** Checks that cannot be sent this way, with the reason. */
  impossible: Partial<Record<ReceiverCheckName, string>>
}

/** What it takes to send deliveries. */
export interface Connection {
  readonly next: NextDelivery
  readonly sender: Sender
  readonly clock: SleepClock
  /** Ends the run. */
  readonly stop: AbortSignal
  /** When the latest response arrived, in milliseconds. */
  lastResponseAt: number
}

const EXAMPLE_URL = 'http://receiver.example/webhooks'

/** @throws WebhookVerificationError code "invalid_option" */
export function senderTo({ url, fetch, handle }: ReceiverTarget): Sender {
  if (fetch !== undefined && handle !== undefined)
    throw invalidOption('Pass either fetch or handle, not both.')
  checkFunction('handle', handle)
  checkFunction('fetch', fetch)
  if (handle !== undefined) return toHandler(handle)
  if (fetch !== undefined) return toFetch(fetch, httpUrl('url', url ?? EXAMPLE_URL))
  if (url === undefined) throw invalidOption('Pass the url of the receiver, or fetch or handle.')
  const target = httpUrl('url', url)
  return { send: (probe, signal) => sendHttp(target, probe, signal), impossible: {} }
}

/** Returns an http or https URL. @throws WebhookVerificationError code "invalid_option" */
export function httpUrl(name: string, value: string | URL): URL {
  const url = urlOf(String(value))
  checkOption(url !== undefined && /^https?:/.test(url.protocol), name, 'an http or https URL', value)
  // Also of the text, since the parser drops an empty username and password.
  if (url.username !== '' || url.password !== '' || /^\w+:[\\/]*[^\\/?#]*@/.test(String(value))) {
    throw invalidOption(
      `${name} must not contain a username or password: the service refuses such endpoints.`,
    )
  }
  return url
}

function toFetch(fetch: NonNullable<ReceiverTarget['fetch']>, url: URL): Sender {
  return {
    impossible: { header_case: 'A Request has its header names in lower case always.' },
    async send({ method = 'POST', headers, body, chunked }, signal) {
      const init: RequestInit & { duplex?: 'half' } = {
        method,
        headers: headers as [string, string][],
        body: chunked ? streamOf(body) : body,
        signal,
      }
      if (chunked) init.duplex = 'half'
      const response = await fetch(new Request(url, init))
      return { status: response.status, start: () => startOf(response.body) }
    },
  }
}

/** Reads the start of a body. */
async function startOf(body: ReadableStream<Uint8Array> | null): Promise<string> {
  const chunks: Uint8Array[] = []
  let read = 0
  try {
    for await (const chunk of body ?? []) {
      chunks.push(chunk)
      read += chunk.length
      if (read >= EXCERPT_BYTES) break
    }
  } catch {
    // What was read so far is enough.
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}

function streamOf(body: string): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(body)
  const middle = Math.ceil(bytes.length / 2)
  return new ReadableStream({
    start(controller) {
      controller.enqueue(bytes.subarray(0, middle))
      controller.enqueue(bytes.subarray(middle))
      controller.close()
    },
  })
}

function toHandler(handle: NonNullable<ReceiverTarget['handle']>): Sender {
  return {
    impossible: {
      chunked: 'The receiver gets the whole body.',
      not_post: 'The receiver gets no method.',
    },
    async send({ headers, body: text }) {
      const request = { headers: Object.fromEntries(headers), body: new TextEncoder().encode(text) }
      const { status, body } = await handle(request)
      return { status, start: async () => (typeof body === 'string' ? body : '') }
    },
  }
}
