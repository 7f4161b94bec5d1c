import { test as base, describe, expect } from 'vitest'
import { createSeedFactory, type FormwireKit, formwireFixture } from '../../src/testing/index.ts'

const make = await createSeedFactory(5)
const FORM = 'fixtureform1'
const test = base.extend<{ formwire: FormwireKit }>({
  formwire: formwireFixture({ seed: make.seed(make.form({ id: FORM, responses: 50 })) }),
})

const seen: FormwireKit[] = []

// Each test looks at what the one before it left.
describe('formwireFixture', { shuffle: false }, () => {
  test('provides a test with a service', async ({ formwire }) => {
    seen.push(formwire)
    formwire.server.app.forms.archive(FORM)
    expect(formwire.server.app.forms.get(FORM).status).toBe('archived')
  })

  test('provides the next test with another service from the same seed', async ({ formwire }) => {
    expect(seen).not.toContain(formwire)
    expect(formwire.server.app.forms.list()).toMatchObject([
      { id: FORM, status: 'published', response_count: 50 },
    ])
  })

  test('closes the service after its test', async ({ formwire }) => {
    expect(formwire).not.toBe(seen[0])
    await expect(fetch(seen[0]?.receiver.url as string)).rejects.toThrow('fetch failed')
  })
})
