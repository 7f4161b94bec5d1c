/**
 * A receiver of webhooks, named by the first argument: of the built package, or the same work without it (HMAC, comparison,
 * JSON.parse). `GET /cpu` responds with the processor time of this process in microseconds.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { createMemoryDedupe } from '@formwire/webhook-verify/dedupe'
import { createReceiver as createExpress } from '@formwire/webhook-verify/express'
import { createReceiver as createFastify } from '@formwire/webhook-verify/fastify'
import { createReceiver } from '@formwire/webhook-verify/node'

const SECRET = 'whsec_bench'
const installed = createRequire(new URL('../../packages/webhook-verify/package.json', import.meta.url))
const options = () => ({ secret: SECRET, on: { 'response.submitted': () => undefined } })

/** Returns the event of a delivery whose signature is right. */
function readBare(headers, body) {
  const signature = Buffer.from(String(headers['x-service-signature']).slice(7), 'hex')
  const mac = createHmac('sha256', SECRET).update(`${headers['x-service-timestamp']}.`).update(body).digest()
  if (signature.length === mac.length && timingSafeEqual(mac, signature)) return JSON.parse(body.toString())
}

const statusOf = (event) => (!event ? 401 : event.event === 'response.submitted' ? 200 : 400)

/** Returns the status of a delivery. */
const verifyBare = (headers, body) => statusOf(readBare(headers, body))

/** Handled deliveries by their signed ids, and until when they are remembered. */
const handled = new Map()

/** The same for a delivery that is handled once. Forgets nothing, since a run is shorter than three days. */
function verifyOnce(headers, body) {
  const event = readBare(headers, body)
  if (event) {
    const key = `${event.event}:${event.form.id}:${event.response.id}`
    if ((handled.get(key) ?? 0) > Date.now()) return 200
    handled.set(key, Date.now() + 3 * 86_400_000)
  }
  return statusOf(event)
}

const bare = (verify) => (request, response) => {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    const status = verify(request.headers, chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))
    response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end('ok')
  })
}

function express(...middleware) {
  const app = installed('express')()
  app.post('/', ...middleware)
  return app
}

async function fastify(register) {
  const app = installed('fastify')()
  register(app)
  await app.ready()
  return app.routing
}

const RECEIVERS = {
  'node bare': () => bare(verifyBare),
  'node bare dedupe': () => bare(verifyOnce),
  node: () => createReceiver(options()),
  'node dedupe': () => createReceiver({ ...options(), dedupe: createMemoryDedupe() }),
  'express bare': () =>
    express(installed('express').raw({ type: '*/*', limit: '1mb' }), (request, response) =>
      response.status(verifyBare(request.headers, request.body)).type('text/plain').send('ok'),
    ),
  express: () => express(createExpress(options())),
  'fastify bare': () =>
    fastify((app) => {
      app.removeAllContentTypeParsers()
      app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
      app.post('/', (request, reply) =>
        reply.code(verifyBare(request.headers, request.body)).type('text/plain; charset=utf-8').send('ok'),
      )
    }),
  fastify: () => fastify((app) => app.register(createFastify(options()))),
}

const listener = await RECEIVERS[process.argv[2]]?.()
if (!listener) {
  throw new Error(`unknown receiver: ${process.argv[2]}; known: ${Object.keys(RECEIVERS).join(', ')}`)
}
const server = createServer((request, response) => {
  if (request.url !== '/cpu') return listener(request, response)
  const { user, system } = process.cpuUsage()
  response.end(String(user + system))
})
// A connection waits for its turn.
server.keepAliveTimeout = 0
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: String(server.address().port) })))
