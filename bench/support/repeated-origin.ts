/**
 * A service with one form of any number of responses, in its own process: those of a seed, again and again, with other ids and times. Pages are
 * written when they are requested, so that a million responses need the memory of some thousand.
 *
 *     node … repeated-origin.ts SEED FORM RESPONSES
 */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createReferenceServer } from '@formwire/reference-server'
import type { Form, FormResponse } from '../../packages/contract/src/index.ts'

const [path = '', form = '', count = ''] = process.argv.slice(2)
const total = Number(count)
const server = createReferenceServer({ seed: JSON.parse(readFileSync(path, 'utf8')), limits: 'off' })
await server.ready

async function get<Data>(url: string): Promise<Data> {
  const headers = { authorization: `Bearer ${server.readKey}` }
  const response = await server.fetch(`http://formwire.test/api/v1${url}`, { headers })
  return ((await response.json()) as { data: Data }).data
}

/** Each response without its id and times. */
const responses: string[] = []
for (let page = 1; ; page += 1) {
  const data = await get<FormResponse[]>(`/forms/${form}/responses?per_page=100&page=${page}`)
  for (const { id: _, started_at: __, submitted_at: ___, ...rest } of data)
    responses.push(JSON.stringify(rest).slice(1))
  if (data.length < 100) break
}
const me = JSON.stringify({ data: await get('/me') })
const facts = JSON.stringify({ data: { ...(await get<Form>(`/forms/${form}`)), response_count: total } })
await server.close()

const NEWEST = Date.UTC(2026, 0, 1)

/** Newest first, one a second. @param since only responses that were submitted since */
function pageOf(page: number, perPage: number, since: number): string {
  const listed = Math.max(0, Math.min(total, Math.floor((NEWEST - since) / 1000) + 1))
  const from = (page - 1) * perPage
  const rows = Array.from({ length: Math.max(0, Math.min(perPage, listed - from)) }, (_, index) => {
    const at = from + index
    const submitted = new Date(NEWEST - at * 1000).toISOString()
    const started = new Date(NEWEST - at * 1000 - 60_000).toISOString()
    return `{"id":${total - at},"started_at":"${started}","submitted_at":"${submitted}",${responses[at % responses.length]}`
  })
  return `{"data":[${rows.join(',')}],"meta":{"page":${page},"per_page":${perPage},"total":${listed}}}`
}

const origin = createServer((request, reply) => {
  const url = new URL(request.url ?? '', 'http://localhost')
  const [page, perPage] = ['page', 'per_page'].map((name) => Number(url.searchParams.get(name) ?? 1))
  const isList = url.pathname.endsWith('/responses')
  reply.setHeader('content-type', 'application/json')
  const since = Date.parse(url.searchParams.get('since') ?? '') || 0
  reply.end(isList ? pageOf(page ?? 1, perPage ?? 25, since) : url.pathname.endsWith('/me') ? me : facts)
})
origin.listen(0, '127.0.0.1', () => {
  const { port } = origin.address() as AddressInfo
  console.log(JSON.stringify({ url: `http://127.0.0.1:${port}`, read_key: server.readKey }))
})
