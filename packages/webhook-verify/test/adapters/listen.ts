import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { connect } from 'node:net'
import { WAIT_MS } from '../../../../test/support/patience.ts'

/** An HTTP server on a free loopback port. */
export interface Listening {
  url: string
  close(): Promise<void>
}

/** Serves a request listener. */
export async function listen(listener: RequestListener): Promise<Listening> {
  return listenWith(createServer(listener))
}

/** Starts this server on a free port. */
export async function listenWith(server: Server): Promise<Listening> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** Posts and returns status and body. */
export async function post(
  url: string,
  {
    headers,
    body,
  }: { headers: Iterable<readonly [string, string]> | Record<string, string>; body: string | Uint8Array },
): Promise<{ status: number; body: string }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: headers as HeadersInit,
    body: body as BodyInit,
    signal: AbortSignal.timeout(WAIT_MS),
  })
  return { status: response.status, body: await response.text() }
}

/** Sends this text, and returns all that is received until the server closes the connection. */
export async function exchange(url: string, text: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.setEncoding('utf8').write(text)
  let received = ''
  for await (const part of socket) received += part
  return received
}
