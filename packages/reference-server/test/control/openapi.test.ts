import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { controlRoutes } from '../../src/control/routes/index.ts'
import { createReferenceServer, type ReferenceServer } from '../../src/index.ts'
import { everyQuestion } from '../../src/testing/index.ts'
import { compareWith, readDocument } from '../conformance/openapi.ts'
import { ask } from '../support/server.ts'

const document = readDocument('control.openapi.json')
const undocumented = compareWith(document)

const ajv = new Ajv2020({ strict: false })
addFormats.default(ajv)
ajv.addSchema(document, 'control')

let server: ReferenceServer
const problems: string[] = []
const covered = new Set<string>()

beforeAll(async () => {
  server = createReferenceServer({ seed: 'demo', clock: 'manual', limits: 'off' })
  await server.ready
})
afterAll(() => server.close())

/** `/forms/abc/close` → `/forms/{id}/close` */
function templateOf(method: string, path: string): string {
  const found = Object.keys(document.paths)
    .sort((a, b) => a.split('{').length - b.split('{').length)
    .find((template) => {
      const pattern = new RegExp(`^${template.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`)
      return pattern.test(path.replace(/\?.*$/, '')) && document.paths[template]?.[method.toLowerCase()]
    })
  if (found === undefined) throw new Error(`${method} ${path} is not documented`)
  return found
}

/** Calls the control API, and compares the body that is sent and the response with the document. */
async function call(method: string, path: string, body?: unknown, expected?: number) {
  const { status, headers, text, json } = await ask(server, method, `/_app${path}`, body)
  const problem = undocumented({ method, path, status, headers, text })
  if (problem !== undefined) problems.push(problem)
  if (status !== (expected ?? (status === 201 ? 201 : 200)))
    problems.push(`${method} ${path} → ${status}: ${text}`)
  const template = templateOf(method, path)
  covered.add(`${method} ${template}`)
  if (body !== undefined) {
    const at = `/paths/${template.replaceAll('/', '~1')}/${method.toLowerCase()}/requestBody/content/application~1json/schema`
    const fits = ajv.compile({ $ref: `control#${encodeURI(at)}` })(body)
    if (fits !== status < 420)
      problems.push(`${method} ${path} accepts ${JSON.stringify(body)}: ${status < 420}, documented: ${fits}`)
  }
  if (!headers.get('content-type')?.startsWith('application/json')) return text
  return json.data ?? json
}

describe('control.openapi.json', () => {
  it('has the routes of the server and no others', () => {
    const bare = (route: string) => route.replaceAll(/:\w+|\{\w+\}/g, '{}')
    // The routes are only listed, never run.
    const { routes } = controlRoutes({ app: server.app } as Parameters<typeof controlRoutes>[0])
    const listed = routes.map(({ method, pattern }) => bare(`${method} ${pattern.slice('/_app'.length)}`))
    const documented = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => bare(`${method.toUpperCase()} ${path}`)),
    )
    expect(documented.sort()).toEqual([...listed, 'GET /health', 'GET /previews/{}'].sort())
  })

  it('describes what every route accepts and returns', async () => {
    await call('GET', '/health')
    await call('GET', '/openapi.json')
    await call('PUT', '/snapshot', { data: await call('GET', '/snapshot') })
    await call('GET', '/clock')
    await call('POST', '/clock/advance', { by: '1m' })
    await call('POST', '/clock/advance', { by: 0 })
    await call('POST', '/clock/advance', { to: 0 }, 422)
    await server.fetch('http://formwire.test/api/v1/me', {
      headers: { authorization: `Bearer ${server.readKey}` },
    })
    await call('GET', '/requests')
    await call('GET', '/requests/1')
    await call('GET', '/requests/999', undefined, 404)
    const fault = await call('POST', '/faults', { path: '/api/v1/me', status: 503, times: 1, retry_after: 2 })
    await call('POST', '/faults', { statsu: 503 }, 422)
    await call('GET', '/faults')
    await call('DELETE', `/faults/${fault.id}`)
    await call('DELETE', '/faults')

    await call(
      'GET',
      '/catalog?include=clock,workspaces,users,keys,forms,endpoints,deliveries,faults,receiver',
    )
    await call('GET', '/catalog?include=nothing', undefined, 422)
    await call('GET', '/receivers/built-in')
    await call('GET', '/catalog?include=receiver')
    await call('PUT', '/receivers/built-in/script', { script: ['500'] })
    await call('PUT', '/receivers/built-in/script', { scripts: [] }, 422)
    const { path } = await call('POST', '/previews', { title: 'New', questions: everyQuestion() })
    await call('GET', `/${path}`)
    await call('GET', '/previews/none', undefined, 404)
    await call('POST', '/previews', { title: '', questions: [] }, 422)
    for (const form of ['guestvoice01', 'retreatform1']) await call('GET', `/forms/${form}/summary`)
    await call('GET', '/forms/guestvoice01/export')
    await call('GET', '/forms/guestvoice01/export?format=json&status=in_progress')

    const workspace = await call('POST', '/workspaces', { name: 'New', plan: 'starter' })
    await call('GET', '/workspaces')
    await call('GET', `/workspaces/${workspace.id}`)
    await call('GET', '/workspaces/999', undefined, 404)
    await call('PATCH', `/workspaces/${workspace.id}`, { plan: 'business' })
    const user = await call('POST', '/users', { name: 'New', email: 'new@example.com' })
    await call('GET', '/users')
    await call('GET', `/users/${user.id}`)
    await call('PUT', `/workspaces/${workspace.id}/members/${user.id}`, { role: 'owner' })
    const key = await call('POST', '/keys', {
      name: 'K',
      scope: 'read',
      workspace_id: workspace.id,
      user_id: user.id,
    })
    await call('GET', '/keys')
    await call('DELETE', `/keys/${key.id}`)
    await call('POST', `/users/${user.id}/password`)
    await call('DELETE', `/workspaces/${workspace.id}/members/${user.id}`)

    await call('GET', `/forms?workspace_id=${server.workspaceId}`)
    const { id } = await call('POST', '/forms', {
      title: 'New',
      questions: everyQuestion().map((question) => ({ ...question, required: false })),
      response_limit: 5,
    })
    await call('POST', '/forms', { title: '' }, 422)
    await call('GET', `/forms/${id}`)
    await call('PATCH', `/forms/${id}`, { title: 'Renamed', closes_at: null })
    await call('PATCH', `/forms/${id}`, { language: 'en' })
    await call('PATCH', `/forms/${id}`, { language: 'x'.repeat(36) }, 422)
    await call('PATCH', `/forms/${id}`, { language: null })
    await call('POST', `/forms/${id}/close`, undefined, 422)
    for (const action of ['publish', 'close', 'reopen', 'archive', 'unarchive', 'trash', 'restore'])
      await call('POST', `/forms/${id}/${action}`)

    const receiver = await call('POST', '/receivers', { script: ['500', { status: 201, body: 'ok' }] })
    await call('POST', '/receivers')
    await call('POST', '/receivers', { secrets: 'whsec_x' }, 422)
    const hook = await call('POST', `/forms/${id}/webhooks`, { url: receiver.url })
    await call('PUT', `/receivers/${receiver.id}`, { secret: hook.secret })
    await call('GET', `/receivers/${receiver.id}`)
    await call('GET', '/receivers')

    const response = await call('POST', `/forms/${id}/responses`, { answers: [], email: null, deliver: true })
    await call('POST', `/forms/${id}/responses`, { answer: [] }, 422)
    await call('GET', `/forms/${id}/responses?q=%23&status=submitted&per_page=5`)
    await call('GET', `/forms/${id}/responses/${response.id}`)
    await call('POST', '/clock/advance', { by: '1m' })
    await call('GET', `/forms/${id}/responses/${response.id}/deliveries`)

    await call('GET', `/forms/${id}/webhooks`)
    await call('GET', `/forms/${id}/webhooks/${hook.id}`)
    const [delivery] = await call('GET', `/forms/${id}/webhooks/${hook.id}/deliveries`)
    expect(delivery).toMatchObject({ status: 'delivered', attempts: 2 })
    await call('GET', '/deliveries?state=delivered&limit=5')
    await call('GET', '/deliveries?state=nothing', undefined, 422)
    await call('GET', `/deliveries/${delivery.id}`)
    await call('GET', '/deliveries/nothing', undefined, 404)
    await call('GET', '/deliveries/stream?webhook_id=x', undefined, 422)
    await call('PUT', `/receivers/${receiver.id}/script`, { script: ['500', '500'] })
    const pending = await call('POST', `/forms/${id}/webhooks/${hook.id}/test`)
    await call('POST', '/clock/advance', { by: 0 })
    await call('POST', `/deliveries/${pending.id}/retry`)
    await call('POST', '/clock/advance', { by: 0 })
    await call('POST', `/deliveries/${pending.id}/cancel`)
    await call('POST', `/deliveries/${delivery.id}/replay`)
    await call('POST', `/forms/${id}/webhooks/${hook.id}/test`)
    for (const subject of ['request', 'delivery', 'response'])
      await call('POST', '/wait', { for: subject, match: {}, timeout_ms: 0 })
    await call('POST', '/wait', { for: 'request', match: { path: 'x' }, timeout_ms: 0 }, 408)
    await call('POST', '/wait', { for: 'request', timeout_ms: 60_001 }, 422)
    await call('POST', `/forms/${id}/webhooks/${hook.id}/rotate-secret`)
    await call('POST', `/forms/${id}/webhooks/${hook.id}/pause`)
    await call('POST', `/forms/${id}/webhooks/${hook.id}/test`, undefined, 422)
    await call('POST', `/forms/${id}/webhooks/${hook.id}/resume`)
    await call('DELETE', `/forms/${id}/webhooks/${hook.id}`)
    await call('PUT', `/receivers/${receiver.id}/script`, { script: [] })
    await call('PUT', `/receivers/${receiver.id}/script`, {}, 422)
    const received = await call('GET', `/receivers/${receiver.id}/deliveries`)
    expect(received.length).toBeGreaterThanOrEqual(2)
    await call('DELETE', `/receivers/${receiver.id}`)
    await call('DELETE', `/forms/${id}/responses/${response.id}`)
    await call('POST', '/reset')
    expect(problems).toEqual([])

    const operations = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    )
    // The stream never ends: it is only refused here, and test/delivery/stream.test.ts reads it.
    expect(operations.filter((operation) => !covered.has(operation))).toEqual([])
  })
})
