import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import type { LambdaEventLike } from '../adapters/lambda.ts'

/** The bare facts of a request: what a tampered delivery may also be. */
export interface RequestFacts {
  /** Pairs, so that a header can be given twice. */
  headers: ReadonlyArray<readonly [name: string, value: string]>
  body: string | Uint8Array
}

/** A request of Node's that never saw a socket: headers, `rawHeaders` and a readable body. */
export type TestIncomingMessage = IncomingMessage

/** An event as API Gateway makes it. */
export interface LambdaTestEvent extends LambdaEventLike {
  version?: '2.0'
  headers: { [name: string]: string }
  body: string
  isBase64Encoded: boolean
}

/** A `Request` of the fetch standard. */
export function toRequest({ headers, body }: RequestFacts, url: string): Request {
  const sent = new Headers()
  for (const [name, value] of headers) sent.append(name, value)
  return new Request(url, { method: 'POST', headers: sent, body: body as BodyInit })
}

/** A real `IncomingMessage`, its body ready to be read; repeated headers are joined as Node's parser joins them. */
export function toIncomingMessage({ headers, body }: RequestFacts, path: string): TestIncomingMessage {
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

/** An event of API Gateway: `1.0` for REST APIs, `2.0` for HTTP APIs and function URLs. */
export function toLambdaEvent(
  { headers, body }: RequestFacts,
  { version = '2.0', base64 = false }: { version?: '1.0' | '2.0'; base64?: boolean } = {},
): LambdaTestEvent {
  const single: { [name: string]: string } = {}
  const multiple: { [name: string]: string[] } = {}
  for (const [name, value] of headers) {
    const key = version === '2.0' ? name.toLowerCase() : name
    // HTTP APIs join repeated headers with a comma; REST APIs keep the last one and list all of them beside it.
    single[key] = version === '2.0' && single[key] !== undefined ? `${single[key]},${value}` : value
    multiple[key] = [...(multiple[key] ?? []), value]
  }
  const common = {
    headers: single,
    body: Buffer.from(body as string).toString(base64 ? 'base64' : 'utf8'),
    isBase64Encoded: base64,
  }
  return version === '2.0'
    ? { ...common, version, requestContext: { http: { method: 'POST' } } }
    : { ...common, multiValueHeaders: multiple, httpMethod: 'POST' }
}
