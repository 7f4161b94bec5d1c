import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FormRecord } from '../../src/domain/form.ts'
import { FormsTable } from '../../src/store/forms.ts'
import { DEFAULT_UNSPECIFIED } from '../../src/unspecified.ts'
import { formRecord } from '../domain/form-record.ts'

const NOW = 1_700_000_000_000
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
  workspaceId: fc.constantFrom(1, 1, 2),
  updatedAt: instant,
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

describe('the forms table', () => {
  const form = (changes: Partial<FormRecord>): FormRecord =>
    formRecord({ status: 'published', createdAt: NOW, updatedAt: NOW, ...changes })

  it.each(['false', 'true'] as const)(
    '[FORM-01] [FORM-02] [FORM-03] [FORM-13] lists at any instant, also an earlier one, what checking every form gives, with datesChangeStatus: %s',
    (datesChangeStatus) => {
      fc.assert(
        fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => {
          let table = new FormsTable({ datesChangeStatus })
          const forms = new Map<string, FormRecord>()
          for (const one of steps) {
            if (one === 'fork') table = table.fork()
            else if (one === 'reload') table = new FormsTable({ datesChangeStatus }).load(table.dump())
            else if ('put' in one) {
              const form = { ...one.put, revision: table.nextRevision() }
              table.put(form)
              forms.set(form.id, form)
            } else {
              const listed = [...forms.values()]
                .filter((form) => form.trashedAt === null && form.workspaceId === 1)
                .sort((a, b) => b.updatedAt - a.updatedAt || b.revision - a.revision)
              const hasEnded = (form: FormRecord) =>
                (form.closesAt !== null && form.closesAt <= one.readAt) ||
                (form.responseLimit !== null && form.responseCount >= form.responseLimit)
              const closed = (form: FormRecord) =>
                form.status === 'closed' ||
                (datesChangeStatus === 'true' && form.status === 'published' && hasEnded(form))
              const open = (form: FormRecord) => form.status === 'published' && !closed(form)
              const read = (status: 'published' | 'closed' | 'draft' | undefined) =>
                table.list(1, status, one.readAt, 0, 100)
              for (const [status, expected] of [
                ['closed', listed.filter(closed)],
                ['published', listed.filter(open)],
                ['draft', listed.filter((form) => form.status === 'draft')],
                [undefined, listed],
              ] as const)
                expect(read(status)).toEqual({ items: expected, total: expected.length })
            }
          }
        }),
        { numRuns: RUNS },
      )
    },
  )

  it('continues its revisions in a fork and from a dump', () => {
    const table = new FormsTable()
    table.put(form({ revision: 7 }))
    expect(table.fork().nextRevision()).toBe(8)
    expect(table.nextRevision()).toBe(8)
    expect(
      new FormsTable(DEFAULT_UNSPECIFIED).load({ ...table.dump(), lastRevision: 11 }).nextRevision(),
    ).toBe(12)
    expect(
      new FormsTable(DEFAULT_UNSPECIFIED).load({ ...table.dump(), lastRevision: 0 }).nextRevision(),
    ).toBe(8)
  })
})
