import { createServer, type Socket } from 'node:net'
import { serve } from '../../../../test/support/serve.ts'

/** The body of a response to `GET /me`. */
export const ME_TEXT = '{"data":{"user":{"id":1,"name":"Zoë"},"workspace":{},"key":{}}}'

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
