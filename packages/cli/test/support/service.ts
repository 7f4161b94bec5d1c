import {
  createReferenceServer,
  type ReferenceServer,
  type ReferenceServerOptions,
  type Seed,
} from '@formwire/reference-server'
import { afterAll, beforeAll, beforeEach, onTestFinished } from 'vitest'
import { serve } from '../../../../test/support/serve.ts'
import { NOON } from './run-cli.ts'

/** Ids of the seed. */
export const SURVEY = 'survey000001'
export const PARTY = 'party0000001'

const at = (time: string): string => `2026-11-21T${time}:00.000Z`

/** A workspace with fixed values. */
const SEED: Seed = {
  version: 1,
  users: [{ id: 1, name: 'Ada Byron', email: 'ada@example.com' }],
  workspaces: [
    {
      id: 1,
      name: 'Analytical',
      members: [{ user: 'ada@example.com', role: 'owner' }],
      keys: [
        { name: 'CI', scope: 'write', user: 'ada@example.com', key: `svc_${'w'.repeat(40)}` },
        { name: 'Reports', scope: 'read', user: 'ada@example.com', key: `svc_${'r'.repeat(40)}` },
      ],
      forms: [
        {
          id: SURVEY,
          slug: 'survey',
          title: 'Customer survey',
          created_at: at('08:00'),
          updated_at: at('10:00'),
          questions: [
            { id: 'name', type: 'short_text', title: 'Name' },
            { id: 'stars', type: 'rating', title: 'Stars' },
            { id: 'why', type: 'long_text', title: 'Why?' },
          ],
          responses: [
            {
              submitted_at: at('09:00'),
              email: 'bo@example.com',
              answers: [
                { question_id: 'name', value: 'Bo' },
                { question_id: 'stars', value: 4 },
              ],
            },
            {
              submitted_at: at('11:30'),
              answers: [
                { question_id: 'stars', value: 5 },
                { question_id: 'why', value: 'Fast,\n"kind"' },
              ],
            },
            {
              status: 'in_progress',
              submitted_at: at('11:45'),
              answers: [{ question_id: 'name', value: 'Cy' }],
            },
          ],
          webhooks: [{ url: 'http://127.0.0.1:9/hook', active: false, created_at: at('08:30') }],
        },
        {
          id: PARTY,
          slug: 'party',
          title: 'Party',
          status: 'closed',
          created_at: at('07:00'),
          updated_at: at('07:00'),
        },
      ],
    },
  ],
}

export interface Service {
  server: ReferenceServer
  url: string
  /** Environment of the CLI, with the write key. */
  env: Record<string, string>
}

/** Starts a server with the seed on a loopback port and a manual clock. Close it with `service.server.close()`. */
export async function startService(options: ReferenceServerOptions = {}): Promise<Service> {
  const server = createReferenceServer({
    seed: SEED,
    clock: 'manual',
    now: NOON,
    adminToken: 'admin-token-of-the-tests',
    ...options,
  })
  await server.ready
  const { url } = await server.listen({ port: 0 })
  return {
    server,
    url,
    env: {
      FORMWIRE_BASE_URL: url,
      FORMWIRE_API_KEY: `svc_${'w'.repeat(40)}`,
      FORMWIRE_ADMIN_TOKEN: 'admin-token-of-the-tests',
    },
  }
}

/** Starts the same before each test of a file, until it has finished. */
export function eachService(options: ReferenceServerOptions = {}): Service {
  const service = {} as Service
  beforeEach(async () => void Object.assign(service, await testService(options)))
  return service
}

/** Starts one for all tests of a file. */
export function oneService(options: ReferenceServerOptions = {}): Service {
  const service = {} as Service
  beforeAll(async () => void Object.assign(service, await startService(options)))
  afterAll(() => service.server.close())
  return service
}

/** Starts the same until the test has finished. */
export async function testService(options: ReferenceServerOptions = {}): Promise<Service> {
  const service = await startService(options)
  onTestFinished(() => service.server.close())
  return service
}

/** A response in place of that of the service. */
export interface Instead {
  status: number
  headers?: Record<string, string>
  body?: Buffer | string
}

/**
 * Serves a service under another URL until the test has finished. @param instead gets each request with its number, and may return what
 * is sent in its place
 */
export async function behind(
  service: Service,
  instead: (number: number, url: URL, method: string) => Instead | undefined | Promise<Instead | undefined>,
): Promise<string> {
  let number = 0
  return await serve(async (request, response) => {
    number += 1
    const { method = 'GET', headers } = request
    const url = new URL(request.url ?? '', service.url)
    const given = await instead(number, url, method)
    if (given) {
      response.writeHead(given.status, given.headers).end(given.body)
      return
    }
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const answer = await service.server.fetch(url.href, {
      method,
      headers: { authorization: headers.authorization ?? '', 'content-type': 'application/json' },
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    })
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
  })
}

/** Adds responses to the survey with a name, 10 ms apart, after those of the seed. */
export function fill({ server }: Service, count: number): void {
  for (let number = 0; number < count; number += 1)
    server.app.responses.create(SURVEY, {
      answers: [{ question_id: 'name', value: `N${number}` }],
      submitted_at: new Date(Date.parse(at('11:31')) + number * 10).toISOString(),
    })
}
