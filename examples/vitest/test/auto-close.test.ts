import {
  createSeedFactory,
  type FormwireKit,
  formwireFixture,
  makeQuestion,
} from '@formwire/reference-server/testing'
import { Formwire } from '@formwire/sdk'
import { test as base, describe, expect } from 'vitest'
import { closeFullForms } from '../src/auto-close.ts'

// Realistic and deterministic. The seed is loaded once, and every test works on a fork.
const make = await createSeedFactory(42)
const seed = make.seed(
  make.form({ id: 'busyform0001', responses: 40 }),
  make.form({ id: 'quietform001', responses: 4 }),
  make.form({ id: 'draftform001', status: 'draft', questions: [makeQuestion('nps')] }),
)
const test = base.extend<{ formwire: FormwireKit }>({ formwire: formwireFixture({ seed }) })

describe('closeFullForms', () => {
  test('closes forms with enough responses and leaves the others open', async ({
    formwire: { clientOptions, server, ...kit },
  }) => {
    expect(await closeFullForms(new Formwire(clientOptions), 40)).toEqual(['busyform0001'])
    expect(server.app.forms.get('busyform0001').status).toBe('closed')
    expect(server.app.forms.get('quietform001').status).toBe('published')
    kit.expectRequest({ method: 'PATCH', path: '/api/v1/forms/busyform0001', status: 200 })
    kit.expectRequests({ method: 'PATCH' }, 1)
  })

  test('closes nothing when nothing is full', async ({ formwire }) => {
    expect(await closeFullForms(new Formwire(formwire.clientOptions), 41)).toEqual([])
    formwire.expectRequests({ method: 'PATCH' }, 0)
  })

  test('recovers from a bad gateway and a lost response', async ({ formwire }) => {
    formwire.server.app.faults.add({ path: '/api/v1/forms', status: 502, times: 1 })
    formwire.server.app.faults.add({ method: 'PATCH', reset: 'unanswered', times: 1 })
    expect(await closeFullForms(new Formwire(formwire.clientOptions), 40)).toEqual(['busyform0001'])
    expect(formwire.server.app.forms.get('busyform0001').status).toBe('closed')
  })
})
