/**
 * One of the two servers of `rest.ts`, in a process of its own: `bare` writes ready strings with `node:http`, `formwire`
 * is the reference server with a form of 1,000 responses. Prints one JSON line once it listens.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createReferenceServer } from '@formwire/reference-server'
import { ANSWERS, QUESTIONS } from './rest-data.ts'

const [kind] = process.argv.slice(2)

async function openFormwire(): Promise<{ url: string; key: string; list: string; item: string }> {
  // The limit is on and counts; it is only too high to be reached.
  const server = createReferenceServer({ limits: { requestsPerMinute: 5_000_000 } })
  const form = server.app.forms.create({ title: 'Bench', questions: QUESTIONS })
  server.app.forms.publish(form.id)
  for (let i = 0; i < 1000; i += 1) server.app.responses.create(form.id, { answers: ANSWERS })
  const { url } = await server.listen({ port: 0 })
  const responses = `/api/v1/forms/${form.id}/responses`
  return {
    url,
    key: server.readKey,
    list: `${responses}?per_page=25&status=submitted`,
    item: `${responses}/500`,
  }
}

/** Ready strings of the same sizes, from what the other server answers. */
async function openBare(): Promise<{ url: string; key: string; list: string; item: string }> {
  const bodies = JSON.parse(process.env.BODIES ?? '{}') as Record<string, string>
  // Through bytes: V8 keeps what comes from the environment in two bytes a character, which would slow the floor down.
  const ready = (name: string): string => Buffer.from(bodies[name] ?? '').toString('latin1')
  const list = ready('list')
  const item = ready('item')
  const server = createServer((request, response) => {
    const body = request.url === '/list' ? list : item
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
    response.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    key: '',
    list: '/list',
    item: '/item',
  }
}

console.log(JSON.stringify(await (kind === 'bare' ? openBare() : openFormwire())))
