/**
 * Runs our clients against deployments with random unspecified behaviour. A failing run contains its seed:
 * `FORMWIRE_SWEEP_SEEDS=17 vitest run test/unspecified` runs only that one.
 */
import { createSeedFactory, everyQuestion, type Seed } from '@formwire/reference-server/testing'
import { byTier } from '../support/cases.ts'

const SEEDS = byTier(10, 30)

/** `random:0` to `random:9`, to `random:99` in the slow tier, or the seeds in the environment variable, separated by commas. */
export const SWEEP: readonly `random:${string}`[] = (
  process.env.FORMWIRE_SWEEP_SEEDS?.split(',') ?? Array.from({ length: SEEDS }, (_, seed) => String(seed))
).map((seed) => `random:${seed}` as const)

export const FORM = 'sweptform001'
export const DRAFT_FORM = 'sweptdraft01'
export const NOON = '2026-11-21T12:00:00Z'

const make = await createSeedFactory(3)

/** A form with every question type, thirty responses and two drafts; a draft form; a closed form. */
export const SEED: Seed = make.seed(
  make.form({
    id: FORM,
    title: 'Swept',
    questions: everyQuestion(),
    responses: 30,
    drafts: 2,
    updated_at: '-1h',
  }),
  make.form({ id: DRAFT_FORM, title: 'Not yet', status: 'draft', created_at: '-2d' }),
  make.form({ title: 'Over', status: 'closed', responses: 3, created_at: '-99d', updated_at: '-3d' }),
)
