import type { OutgoingHttpHeaders } from 'node:http'
import { createServer, type Socket } from 'node:net'
import { serve } from '../../../../test/support/serve.ts'

/** The body of a response to `GET /me`. */
export const ME_TEXT = '{"data":{"user":{"id":1,"name":"Zoë"},"workspace":{},"key":{}}}'

/** The data in that body. */
export const ME_DATA = JSON.parse(ME_TEXT).data

/** The bytes of a response with that body. */
export const WHOLE = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(ME_TEXT)}\r\n\r\n${ME_TEXT}`

/** A server of raw bytes: whatever HTTP libraries would refuse to send. */
export function raw(handle: (socket: Socket, request: number) => void): Promise<string> {
  let requests = 0
  return serve(
    createServer((socket) => {
      socket.on('data', () => {
        requests += 1
        handle(socket, requests)
      })
    }),
  )
}

/** A server that responds to everything with a body, JSON unless the headers say otherwise. */
export const served = (body?: Buffer | string, headers: OutgoingHttpHeaders = {}, status = 200) =>
  serve((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
  })

/** What a call rejects with, or resolves to. */
export const errorOf = (call: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(call).catch((caught: unknown) => caught)
