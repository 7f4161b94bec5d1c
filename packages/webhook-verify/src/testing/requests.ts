import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import type { LambdaEventLike } from '../adapters/lambda.ts'

/** Headers and body of a request, tampered or not. */
export interface RequestParts {
  /** Pairs, so that a header can occur twice. */
  headers: ReadonlyArray<readonly [name: string, value: string]>
  body: string | Uint8Array
}

/** A Node request without a connection: headers, `rawHeaders` and a readable body. */
export type TestIncomingMessage = IncomingMessage

/** Path of requests that are not given another. */
export const EXAMPLE_PATH = '/webhooks'

/** An event as API Gateway creates it. */
export interface LambdaTestEvent extends LambdaEventLike {
  version?: '2.0'
  headers: { [name: string]: string }
  body: string
  isBase64Encoded: boolean
}

/** Converts to a fetch `Request`. */
export function toRequest({ headers, body }: RequestParts, url: string): Request {
  const sent = new Headers()
  for (const [name, value] of headers) sent.append(name, value)
  return new Request(url, { method: 'POST', headers: sent, body: body as BodyInit })
}

/** Converts to a real `IncomingMessage` with its body ready to read. Repeated headers are joined as Node's parser joins them. */
export function toIncomingMessage({ headers, body }: RequestParts, path: string): TestIncomingMessage {
  const message = new IncomingMessage(new Socket())
  message.method = 'POST'
  message.url = path
  message.httpVersion = '1.1'
  const joined: Record<string, string> = {}
  for (const [name, value] of headers) {
    message.rawHeaders.push(name, value)
    const key = name.toLowerCase()
    joined[key] = joined[key] === undefined ? value : `${joined[key]}, ${value}`
  }
  message.headers = joined
  message.complete = true
  message.push(Buffer.from(body as string))
  message.push(null)
  return message
}

/** Converts to an API Gateway event: `1.0` for REST APIs, `2.0` for HTTP APIs and function URLs. */
export function toLambdaEvent(
  { headers, body }: RequestParts,
  {
    version = '2.0',
    base64 = false,
  }: {
    version?: '1.0' | '2.0' | undefined
    base64?: boolean | undefined
  } = {},
): LambdaTestEvent {
  const single: { [name: string]: string } = {}
  const multiple: { [name: string]: string[] } = {}
  for (const [name, value] of headers) {
    const key = version === '2.0' ? name.toLowerCase() : name
    // HTTP APIs join repeated headers with a comma. REST APIs keep the last value and list all of them separately.
    single[key] = version === '2.0' && single[key] !== undefined ? `${single[key]},${value}` : value
    multiple[key] = [...(multiple[key] ?? []), value]
  }
  const common = {
    headers: single,
    body: Buffer.from(body as string).toString(base64 ? 'base64' : 'utf8'),
    isBase64Encoded: base64,
  }
  return version === '2.0'
    ? { ...common, version, rawPath: EXAMPLE_PATH, requestContext: { http: { method: 'POST' } } }
    : { ...common, multiValueHeaders: multiple, path: EXAMPLE_PATH, httpMethod: 'POST' }
}
