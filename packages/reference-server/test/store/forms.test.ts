import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FormRecord } from '../../src/domain/form.ts'
import { FormsTable } from '../../src/store/forms.ts'
import { formRecord } from '../domain/form-record.ts'

const RUNS = Number(process.env.FORMWIRE_PROPERTY_RUNS ?? 200)

const FORM = formRecord({
  id: 'form00000000',
  slug: 'form00000000',
  title: 'Form',
  status: 'published',
  createdAt: 0,
  updatedAt: 0,
})

const instant = fc.integer({ min: 0, max: 5 })
const change = fc.record({
  id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
  status: fc.constantFrom('draft' as const, 'published' as const, 'closed' as const),
  closesAt: fc.option(instant),
  responseCount: fc.integer({ min: 0, max: 1 }),
  responseLimit: fc.option(fc.constant(1)),
  trashedAt: fc.option(instant, { freq: 3 }),
})
type Step = { put: FormRecord } | { readAt: number } | 'fork' | 'reload'

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: change.map((some) => ({ put: { ...FORM, ...some, slug: some.id } })) },
  { weight: 5, arbitrary: instant.map((readAt) => ({ readAt })) },
  { weight: 1, arbitrary: fc.constantFrom('fork' as const, 'reload' as const) },
)

describe('the list of forms where dates change the status', () => {
  it('[FORM-02][FORM-13] lists at any instant, also an earlier one, what checking every form gives', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => {
        let table = new FormsTable({ datesChangeStatus: 'true' })
        const forms = new Map<string, FormRecord>()
        for (const one of steps) {
          if (one === 'fork') table = table.fork()
          else if (one === 'reload') table = FormsTable.load(table.dump(), { datesChangeStatus: 'true' })
          else if ('put' in one) {
            const form = { ...one.put, revision: table.nextRevision() }
            table.put(form)
            forms.set(form.id, form)
          } else {
            const listed = [...forms.values()]
              .filter((form) => form.trashedAt === null)
              .sort((a, b) => b.revision - a.revision)
            const closed = (form: FormRecord) =>
              form.status === 'closed' ||
              (form.status === 'published' &&
                ((form.closesAt !== null && form.closesAt <= one.readAt) ||
                  (form.responseLimit !== null && form.responseCount >= form.responseLimit)))
            const open = (form: FormRecord) => form.status === 'published' && !closed(form)
            const read = (status: 'published' | 'closed' | 'draft' | undefined) =>
              table.list(1, status, one.readAt, 0, 100).items
            expect(read('closed')).toEqual(listed.filter(closed))
            expect(read('published')).toEqual(listed.filter(open))
            expect(read('draft')).toEqual(listed.filter((form) => form.status === 'draft'))
            expect(read(undefined)).toEqual(listed)
          }
        }
      }),
      { numRuns: RUNS },
    )
  })

  it('[FORM-02][FORM-13] pages through forms that have ended without gaps', () => {
    const table = new FormsTable({ datesChangeStatus: 'true' })
    for (let i = 0; i < 500; i += 1) {
      table.put({ ...FORM, id: `form${i}`, slug: `form${i}`, revision: i + 1, closesAt: i })
    }
    const page = (from: number) => table.list(1, 'closed', 249, from, 100)
    expect([page(0).total, table.list(1, 'published', 249, 0, 1).total]).toEqual([250, 250])
    const ids = [page(0), page(100), page(200)].flatMap(({ items }) => items.map(({ id }) => id))
    expect(ids).toEqual(Array.from({ length: 250 }, (_, i) => `form${249 - i}`))
  })
})
