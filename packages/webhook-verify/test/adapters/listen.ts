import { once } from 'node:events'
import { connect } from 'node:net'
import type { NextApiHandler, PageConfig } from 'next'
import { apiResolver } from 'next/dist/server/api-utils/node/api-resolver.js'
import { WAIT_MS } from '../../../../test/support/patience.ts'
import { serve } from '../../../../test/support/serve.ts'

/** Posts and returns status and body. */
export async function post(
  url: string,
  {
    headers,
    body,
    method = 'POST',
  }: {
    headers: Iterable<readonly [string, string]> | Record<string, string>
    body: string | Uint8Array
    method?: string
  },
): Promise<{ status: number; body: string }> {
  const response = await fetch(url, {
    method,
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

/** Runs an API route as Next does, with its body parser unless `config` disables it. */
export function servePagesRoute(handler: NextApiHandler, config: PageConfig): Promise<string> {
  const context = { previewModeId: 'x', previewModeEncryptionKey: 'x', previewModeSigningKey: 'x' }
  return serve(async (request, response) => {
    const resolverModule = { default: handler, config }
    await apiResolver(request, response, {}, resolverModule, context as never, false, false, '/api/webhooks')
    if (!response.writableEnded) await once(response, 'finish')
  })
}
