import {
  createSeedFactory,
  type FormwireKit,
  makeQuestion,
  startFormwire,
} from '@formwire/reference-server/testing'
import { Formwire, memoryCheckpoint } from '@formwire/sdk'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { detractorAlerts } from '../src/detractor-alerts.ts'

const FORM = 'npsform00001'

// One service for the file, reset to its seed before each test, in less than a millisecond.
let kit: FormwireKit
beforeAll(async () => {
  const make = await createSeedFactory(42)
  kit = await startFormwire({ seed: make.seed(make.form({ id: FORM, questions: [makeQuestion('nps')] })) })
})
beforeEach(() => kit.reset())
afterAll(() => kit.close())

const respond = (value: number, email: string | null = null) =>
  kit.server.app.responses.create(FORM, { answers: [{ question_id: 'nps', value }], email })

describe('detractorAlerts', () => {
  test('reports scores of 6 or less, oldest first', async () => {
    respond(9)
    const six = respond(6, 'ada@example.com')
    await kit.server.clock.advance('1m')
    const zero = respond(0)
    const formwire = new Formwire(kit.clientOptions)
    expect(await detractorAlerts(formwire, FORM, memoryCheckpoint())).toEqual([
      { responseId: six.id, score: 6, email: 'ada@example.com' },
      { responseId: zero.id, score: 0, email: null },
    ])
  })

  test('reports nothing twice, also after a restart', async () => {
    const formwire = new Formwire(kit.clientOptions)
    const checkpoint = memoryCheckpoint()
    respond(3)
    expect(await detractorAlerts(formwire, FORM, checkpoint)).toHaveLength(1)
    expect(await detractorAlerts(new Formwire(kit.clientOptions), FORM, checkpoint)).toEqual([])
    respond(4)
    expect(await detractorAlerts(formwire, FORM, checkpoint)).toHaveLength(1)
  })

  test('requests only new responses', async () => {
    const formwire = new Formwire(kit.clientOptions)
    const checkpoint = memoryCheckpoint()
    respond(3)
    await detractorAlerts(formwire, FORM, checkpoint)
    await detractorAlerts(formwire, FORM, checkpoint)
    kit.expectRequest({ path: `/api/v1/forms/${FORM}/responses`, query: { since: /^\d{4}-/ } })
  })
})
