/**
 * Measures the effect of clients that open the delivery stream and never read: the memory of the server process, and the
 * longest `GET /api/v1/me` while 500 responses are delivered.
 *
 *     tsx --conditions=@formwire/source bench/stream.ts [clients, 9000 unless given]
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { createMockReceiver, createReferenceServer } from '@formwire/reference-server'

const RESPONSES = 500

interface Listening {
  readonly port: number
  readonly adminToken: string
  readonly readKey: string
}

/** Runs the server in its own process. After a `deliver` message and all deliveries, it sends its memory usage. */
async function serve(): Promise<void> {
  const server = createReferenceServer({ limits: 'off' })
  const receiver = await createMockReceiver().listen()
  const { url } = await server.listen({ port: 0 })
  const questions = [{ id: 'say', type: 'long_text' as const, title: 'What do you say?' }]
  const { id } = server.app.forms.create({ title: 'Watched form', questions })
  server.app.forms.publish(id)
  await server.app.webhooks.create(id, { url: receiver.url })
  process.on('message', async () => {
    const answers = [{ question_id: 'say', value: 'words '.repeat(100) }]
    for (let count = 0; count < RESPONSES; count += 1) {
      server.app.responses.create(id, { answers, deliver: true })
      await new Promise((resolve) => setImmediate(resolve))
    }
    await server.clock.idle()
    process.send?.({ rss: process.memoryUsage.rss() })
  })
  process.on('disconnect', () => process.exit(0))
  process.send?.({ port: Number(new URL(url).port), adminToken: server.adminToken, readKey: server.readKey })
}

/** Opens a stream and reads only the status. */
async function openStream({ port, adminToken }: Listening): Promise<{ socket: Socket; status: number }> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write(
    `GET /_app/deliveries/stream HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${adminToken}\r\n\r\n`,
  )
  const [head] = (await once(socket, 'data')) as [Buffer]
  socket.pause()
  return { socket, status: Number(head.toString('latin1').split(' ')[1]) }
}

async function longestRequest(
  { port, readKey }: Listening,
  over: { readonly done: boolean },
): Promise<number> {
  let longest = 0
  while (!over.done) {
    const from = performance.now()
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/me`, {
      headers: { authorization: `Bearer ${readKey}` },
    })
    await response.arrayBuffer()
    longest = Math.max(longest, performance.now() - from)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return longest
}

async function measure(clients: number): Promise<void> {
  const child = fork(fileURLToPath(import.meta.url), ['serve'], { execArgv: process.execArgv })
  const [listening] = (await once(child, 'message')) as [Listening]
  const sockets: Socket[] = []
  let admitted = 0
  for (let opened = 0; opened < clients; opened += 100) {
    const batch = Array.from({ length: Math.min(100, clients - opened) }, () => openStream(listening))
    for (const { socket, status } of await Promise.all(batch)) {
      sockets.push(socket)
      if (status === 200) admitted += 1
    }
  }
  const over = { done: false }
  const longest = longestRequest(listening, over)
  const from = performance.now()
  child.send('deliver')
  const [{ rss }] = (await once(child, 'message')) as [{ rss: number }]
  const took = performance.now() - from
  over.done = true
  console.log(
    `| ${clients} | ${admitted} | ${Math.round(rss / 1_048_576)} MB | ${(took / 1000).toFixed(1)} s | ${Math.round(await longest)} ms |`,
  )
  for (const socket of sockets) socket.destroy()
  child.disconnect()
}

if (process.argv[2] === 'serve') await serve()
else {
  console.log(
    `| stream clients | admitted | memory of the server | ${RESPONSES} deliveries take | longest \`GET /me\` |`,
  )
  console.log('|---|---|---|---|---|')
  for (const clients of [0, Number(process.argv[2] ?? 9000)]) await measure(clients)
}
