import { describe, expect, it } from 'vitest'
import { type Entry, Findings } from '../../scripts/mutation/log.ts'
import { draw, type Mutant } from '../../scripts/mutation/mutants.ts'
import { type Outcome, Plan, type PlanSetting } from '../../scripts/mutation/plan.ts'

const PASSED: Outcome = { passed: true, hits: 1, ms: 5 }
const FAILED: Outcome = { passed: false, hits: 1, ms: 5 }

/** Runs a test whose runs end as listed. Returns the runs and what was written down. */
function run(outcomes: Outcome[], known: Entry[] = [], setting: Partial<PlanSetting> = {}) {
  const findings = new Findings(known)
  const written: Entry[] = []
  const plan = new Plan({
    test: 'a.test.ts > adds',
    isSampled: (mutant) => mutant !== 'unsampled',
    mutants: new Set(['m1', 'm2']),
    findings,
    ranMutants: false,
    write: (entry) => {
      written.push(entry)
      findings.add(entry)
    },
    ...setting,
  })
  const steps: string[] = []
  for (const outcome of outcomes) {
    steps.push([plan.step.kind, plan.step.mutant].filter(Boolean).join(' '))
    plan.after(outcome)
  }
  return { steps, more: plan.more, written: written.filter(({ type }) => type !== 'covered') }
}

const covers = (...mutants: string[]): Outcome => ({
  ...PASSED,
  covered: Object.fromEntries(mutants.map((mutant) => [mutant, 1])),
})
const test = 'a.test.ts > adds'

describe('the plan of a test with mutants', () => {
  it('runs each mutant of the sample once, and ends', () => {
    const { steps, more, written } = run([covers('m1', 'm2', 'unsampled'), PASSED, PASSED, PASSED])
    expect(steps).toEqual(['cover', 'check', 'mutant m2', 'mutant m1'])
    expect(more).toBe(false)
    expect(written).toEqual([
      { type: 'survived', mutant: 'm2', test },
      { type: 'survived', mutant: 'm1', test },
    ])
  })

  it('counts a failure that follows a pass', () => {
    const { steps, written } = run([covers('m1'), PASSED, FAILED, PASSED])
    expect(steps).toEqual(['cover', 'check', 'mutant m1', 'proof m1'])
    expect(written).toEqual([{ type: 'killed', mutant: 'm1', test }])
  })

  it('counts a failure after another mutant only if the test then passes', () => {
    const passes = run([covers('m1', 'm2'), PASSED, PASSED, FAILED, PASSED])
    expect(passes.written).toContainEqual({ type: 'killed', mutant: 'm1', test })
    const fails = run([covers('m1', 'm2'), PASSED, PASSED, FAILED, FAILED])
    expect(fails.written).toEqual([
      { type: 'survived', mutant: 'm2', test },
      { type: 'suspect', mutant: 'm1', test },
      { type: 'restart' },
    ])
  })

  it('runs a suspect first', () => {
    const { steps } = run([covers('m1', 'm2'), PASSED, FAILED], [{ type: 'suspect', mutant: 'm1', test }])
    expect(steps).toEqual(['cover', 'check', 'mutant m1'])
  })

  it('notes a mutant that runs only the first time', () => {
    const { written } = run([covers('m1'), PASSED, { ...PASSED, hits: 0 }])
    expect(written).toEqual([{ type: 'kept', mutant: 'm1', test }])
  })

  it('uses no test that fails without a mutant', () => {
    expect(run([FAILED]).written).toEqual([{ type: 'unusable', test }])
    expect(run([covers('m1'), FAILED]).written).toEqual([{ type: 'unusable', test }])
  })

  it('runs a test again in a new process if it fails after mutants of other tests', () => {
    expect(run([FAILED], [], { ranMutants: true }).written).toEqual([
      { type: 'doubt', test },
      { type: 'restart' },
    ])
    expect(run([FAILED], [{ type: 'doubt', test }], { ranMutants: true }).written).toEqual([
      { type: 'unusable', test },
    ])
  })

  it('skips what is decided, what the test has run with before, and what other tests are to run with', () => {
    const killed: Entry = { type: 'killed', mutant: 'm1', test: 'b.test.ts > b' }
    const survived: Entry = { type: 'survived', mutant: 'm1', test }
    expect(run([covers('m1')], []).more).toBe(true)
    expect(run([covers('m1')], [killed]).more).toBe(false)
    expect(run([covers('m1')], [survived]).more).toBe(false)
    expect(run([covers('m1')], [], { mutants: new Set(['m2']) }).more).toBe(false)
  })
})

describe('the sample of mutants', () => {
  const mutants = Array.from({ length: 50 }, (_, index) => ({ key: `k${index}` }) as Mutant)
  const keys = (drawn: Mutant[]): string[] => drawn.map(({ key }) => key)

  it('is the same for the same seed, whatever the order', () => {
    const sample = keys(draw(mutants, 10, '1'))
    expect(sample).toHaveLength(10)
    expect(keys(draw(mutants.toReversed(), 10, '1'))).toEqual(sample)
    expect(keys(draw(mutants, 10, '2'))).not.toEqual(sample)
  })

  it('keeps the other mutants when some are removed, and grows by its size', () => {
    const sample = keys(draw(mutants, 10, '1'))
    const fewer = mutants.filter(({ key }) => key !== sample[0])
    expect(keys(draw(fewer, 9, '1'))).toEqual(sample.slice(1))
    expect(keys(draw(mutants, 20, '1')).slice(0, 10)).toEqual(sample)
  })
})
