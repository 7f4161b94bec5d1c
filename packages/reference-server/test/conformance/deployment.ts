import { onTestFinished } from 'vitest'
import { type ConformanceOptions, runConformance } from '../../src/conformance/index.ts'
import {
  createReferenceServer,
  type ReferenceServer,
  type ReferenceServerOptions,
  type Seed,
} from '../../src/index.ts'
import { createSeedFactory } from '../../src/seed/factory.ts'
import { everyQuestion } from '../../src/seed/questions.ts'

/** No rate limits. The limit of endpoints stays. */
export const UNLIMITED = {
  requestsPerMinute: Number.POSITIVE_INFINITY,
  failedAuthPerMinute: Number.POSITIVE_INFINITY,
}
export const FORM = 'conformance1'
const FOREIGN = 'elsewhere001'

const make = await createSeedFactory(11)
const here = make.workspace({
  forms: [
    make.form({
      id: FORM,
      closes_at: '-1d',
      questions: everyQuestion(),
      responses: 30,
      drafts: 2,
      webhooks: [{ url: 'http://127.0.0.1:9/here', active: false }],
    }),
    make.form({ id: 'draftform001', status: 'draft' }),
    make.form({ id: 'closedform01', status: 'closed' }),
  ],
})
const there = make.workspace({ forms: [make.form({ id: FOREIGN })] })
const SEED: Seed = {
  version: 1,
  users: [...here.users, ...there.users],
  workspaces: [...here.workspaces, ...there.workspaces],
}

/** Starts a reference server for the test. */
export async function start(options: ReferenceServerOptions): Promise<ReferenceServer> {
  const server = createReferenceServer({ seed: SEED, ...options })
  onTestFinished(() => server.close())
  await server.ready
  return server
}

/** Runs the checks with the write key of a server. */
export const run = (reference: ReferenceServer, options: Partial<ConformanceOptions> = {}) =>
  runConformance({
    baseUrl: 'http://formwire.test',
    apiKey: reference.writeKey,
    formId: FORM,
    webhookUrl: 'http://127.0.0.1:9/conformance',
    fetch: (...request) => reference.fetch(...(request as [Request])),
    wait: async () => {},
    ...options,
  })

/** Runs the checks against a new server. */
export async function against(server: ReferenceServerOptions, options: Partial<ConformanceOptions> = {}) {
  const reference = await start(server)
  return { report: await run(reference, options), reference }
}

/** Options of a run that observes all that it can. */
export const all: Partial<ConformanceOptions> = {
  write: true,
  foreignFormId: FOREIGN,
  expendableResponseId: 3,
  expendableForm: true,
}

export const broken = ({ report }: Awaited<ReturnType<typeof against>>) =>
  report.results
    .filter((result) => result.outcome === 'broken')
    .map((result) => `${result.title}: ${result.finding}`)
