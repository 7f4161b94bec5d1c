import { createHmac } from 'node:crypto'
import type { IncomingMessage, RequestListener } from 'node:http'
import type { RawRequest } from '@formwire/webhook-verify'

const SECRET = 'whsec_test'

/** A request as the bare receiver sees it. */
export interface Received {
  method: string
  headers: [name: string, value: string][]
  body: Buffer
}

interface Event {
  event: string
  form: { id: string }
  response: { id: number }
}

/** A receiver without this package's code. Each member is one decision; a test replaces one to create a defect. */
export class BareReceiver {
  handled = 0
  readonly claimed = new Set<string>()
  maxBytes = 1_048_576
  readonly accepted: number = 200
  readonly refused: number = 401

  allows(method: string): boolean {
    return method === 'POST'
  }

  header({ headers }: Received, wanted: string): string | undefined {
    return headers.find(([name]) => name.toLowerCase() === wanted.toLowerCase())?.[1]
  }

  read(request: IncomingMessage): Promise<Buffer | number> {
    return readAll(request)
  }

  /** The bytes that the signature covers, besides the timestamp. */
  signedBytes(body: Buffer): Buffer | string {
    return body
  }

  digitsOf(signature: string): string | undefined {
    return /^sha256=([0-9a-f]{64})$/.exec(signature)?.[1]
  }

  equal(expected: string, digits: string): boolean {
    return expected === digits
  }

  expected(timestamp: string, body: Buffer): string {
    return createHmac('sha256', SECRET).update(`${timestamp}.`).update(this.signedBytes(body)).digest('hex')
  }

  verifies(timestamp: string, digits: string, body: Buffer): boolean {
    return this.equal(this.expected(timestamp, body), digits)
  }

  fresh(ageSeconds: number): boolean {
    return Math.abs(ageSeconds) <= 300
  }

  /** Returns the status of a refusal, if the event is refused. */
  refuses(_event: Event): number | undefined {
    return undefined
  }

  parse(body: Buffer): Event | undefined {
    try {
      return JSON.parse(body.toString())
    } catch {
      return undefined
    }
  }

  keyOf({ event, form, response }: Event, _received: Received): string {
    return [event, form.id, response.id].join()
  }

  /** Claims the key; returns whether it was free. */
  async claim(key: string): Promise<boolean> {
    if (this.claimed.has(key)) return false
    this.claimed.add(key)
    return true
  }

  duplicate(): number {
    return this.accepted
  }

  /** Returns a status to respond with before anything is verified. */
  early(_received: Received): number | undefined {
    return undefined
  }

  async respond(event: Event, received: Received): Promise<number> {
    const refusal = this.refuses(event)
    if (refusal !== undefined) return refusal
    if (event.event !== 'response.submitted') return this.accepted
    if (!(await this.claim(this.keyOf(event, received)))) return this.duplicate()
    this.handled += 1
    return this.accepted
  }

  async receive(received: Received): Promise<number> {
    if (!this.allows(received.method)) return 405
    const early = this.early(received)
    if (early !== undefined) return early
    if (received.body.length > this.maxBytes) return 413
    const signature = this.header(received, 'X-Service-Signature')
    const timestamp = this.header(received, 'X-Service-Timestamp')
    if (signature === undefined || timestamp === undefined) return this.refused
    const digits = this.digitsOf(signature)
    if (digits === undefined) return this.refused
    if (!this.fresh(Date.now() / 1000 - Number(timestamp))) return this.refused
    if (!this.verifies(timestamp, digits, received.body)) return this.refused
    const event = this.parse(received.body)
    return event === undefined ? this.refused : this.respond(event, received)
  }

  /** For `checkReceiver({ handle })`. */
  readonly handle = async ({ headers, body }: RawRequest): Promise<{ status: number }> => ({
    status: await this.receive({
      method: 'POST',
      headers: Object.entries(headers as Record<string, string>),
      body: Buffer.from(body as Uint8Array),
    }),
  })

  /** For `http.createServer`. */
  readonly listener: RequestListener = async (request, response) => {
    const body = await this.read(request)
    const { rawHeaders, method = '' } = request
    const headers = rawHeaders.flatMap((name, index): [string, string][] =>
      index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? '']] : [],
    )
    const status = typeof body === 'number' ? body : await this.receive({ method, headers, body })
    response.writeHead(status, status >= 300 && status < 400 ? { location: '/elsewhere' } : {}).end()
  }
}

/** Reads the whole body. */
export async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}
