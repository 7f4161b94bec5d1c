import { createReferenceServer, type Seed } from '@formwire/reference-server'
import { createSeedFactory, everyQuestion } from '@formwire/reference-server/testing'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { propertyRuns } from '../../../../test/support/cases.ts'
import { runCli } from '../support/run-cli.ts'

const FORM = 'survey000001'

/** Serves a seed on loopback and runs a command line with it. */
async function withService<Result>(
  seed: Seed,
  run: (env: Record<string, string>) => Promise<Result>,
): Promise<Result> {
  await using server = createReferenceServer({ seed, limits: 'off' })
  await server.ready
  const { url } = await server.listen({ port: 0 })
  return await run({ FORMWIRE_BASE_URL: url, FORMWIRE_API_KEY: server.readKey, NO_COLOR: '1' })
}

const typesOf = (env: Record<string, string>) => runCli(['types', FORM], { env })

it('keeps the generated types of a form when it scrubs', async () => {
  const plans = fc.record({
    seed: fc.nat(),
    bits: fc.integer({ min: 1, max: 2 ** 22 - 1 }),
    responses: fc.integer({ min: 1, max: 40 }),
  })
  await fc.assert(
    fc.asyncProperty(plans, async ({ seed, bits, responses }) => {
      const make = await createSeedFactory(seed)
      const questions = everyQuestion().filter((_, index) => (bits >> index) & 1)
      const origin = make.seed(make.form({ id: FORM, title: 'Survey', questions, responses }))
      const [types, pulled] = await withService(origin, async (env) => [
        await typesOf(env),
        await runCli(['seed', 'pull', FORM], { env }),
      ])
      const copy = await withService(JSON.parse(pulled.stdout) as Seed, typesOf)
      expect(copy).toEqual(types)
    }),
    { numRuns: propertyRuns(15) },
  )
})
