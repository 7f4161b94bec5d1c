/**
 * Starts a server for `rest.ts`: `bare` writes prepared strings with `node:http` and loads nothing else, `formwire` is
 * the built reference server with a form of 1,000 responses. Prints one JSON line once it listens.
 */
import { createServer } from 'node:http'

const [kind] = process.argv.slice(2)

async function openFormwire() {
  const { readFileSync } = await import('node:fs')
  const { createReferenceServer } = await import('@formwire/reference-server')
  const { questions, answers } = JSON.parse(readFileSync(new URL('rest-data.json', import.meta.url), 'utf8'))
  // The rate limit is enabled, but too high to be reached.
  const server = createReferenceServer({ limits: { requestsPerMinute: 5_000_000 } })
  const form = server.app.forms.create({ title: 'Bench', questions })
  server.app.forms.publish(form.id)
  for (let i = 0; i < 1000; i += 1) server.app.responses.create(form.id, { answers })
  const { url } = await server.listen({ port: 0 })
  const responses = `/api/v1/forms/${form.id}/responses`
  return {
    url,
    key: server.readKey,
    list: `${responses}?per_page=25&status=submitted`,
    item: `${responses}/500`,
  }
}

/** Writes the bodies of the variable BODIES: `list` for a URL with a query, else `item`. */
async function openBare() {
  const bodies = JSON.parse(process.env.BODIES ?? '{}')
  // V8 stores strings from the environment with two bytes per character, which would slow the baseline down.
  const prepared = (name) => Buffer.from(bodies[name] ?? '').toString('latin1')
  const list = prepared('list')
  const item = prepared('item')
  const server = createServer((request, response) => {
    const body = request.url.includes('?') ? list : item
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
    response.end(body)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${server.address().port}` }
}

console.log(JSON.stringify(await (kind === 'bare' ? openBare() : openFormwire())))
