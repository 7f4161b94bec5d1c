import { describe, expect, it } from 'vitest'
import type { FormRecord } from '../../src/domain/form.ts'
import { statusAt } from '../../src/domain/form-status.ts'
import { applyFormPatch, isTitle, readFormPatch } from '../../src/domain/form-update.ts'
import { formWire } from '../../src/domain/form-wire.ts'
import type { Settings } from '../../src/settings.ts'
import { DEFAULT_UNSPECIFIED } from '../../src/unspecified.ts'
import { formRecord } from './form-record.ts'

describe('a form', () => {
  it('[FORM-05] accepts titles of 1 to 200 code points', () => {
    const titles = [
      '',
      'x',
      'x'.repeat(200),
      'x'.repeat(201),
      '👩'.repeat(200),
      '👩'.repeat(201),
      'x'.repeat(401),
    ]
    expect(titles.map(isTitle)).toEqual([false, true, true, false, true, false, false])
  })

  it('[FORM-06] refuses a status that cannot be set, and a body without a field', () => {
    expect(readFormPatch({ status: 'archived' }, DEFAULT_UNSPECIFIED)).toStrictEqual({
      ok: false,
      refusal: { field: 'status', message: 'status must be one of published, closed.' },
    })
    expect(readFormPatch({ status: 'closed' }, DEFAULT_UNSPECIFIED)).toStrictEqual({
      ok: true,
      value: { status: 'closed' },
    })
    for (const [patchWithoutField, code] of [
      ['422', 'validation_failed'],
      ['400', 'bad_request'],
    ] as const) {
      expect(readFormPatch({}, { ...DEFAULT_UNSPECIFIED, patchWithoutField })).toMatchObject({
        refusal: { code },
      })
    }
  })

  it('[FORM-13] shows closed once it has ended or is full, where dates change the status', () => {
    const status = (changes: Partial<FormRecord>, datesChangeStatus: 'true' | 'false' = 'true') =>
      statusAt(formRecord({ status: 'published', ...changes }), 2000, { datesChangeStatus })
    expect(status({ closesAt: 2001 })).toBe('published')
    expect(status({ closesAt: 2000 })).toBe('closed')
    expect(status({ responseLimit: 2, responseCount: 1 })).toBe('published')
    expect(status({ responseLimit: 2, responseCount: 2 })).toBe('closed')
    expect(status({ closesAt: 2000 }, 'false')).toBe('published')
    expect(status({ closesAt: 2000, status: 'draft' })).toBe('draft')
  })

  it.each([
    ['400', 'bad_request'],
    ['403', 'forbidden'],
    ['409', 'conflict'],
    ['422', undefined],
  ] as const)('[FORM-06] refuses a status before it was published (%s: %s)', (statusOfUnpublished, code) => {
    const message = 'status can be set only on a published form; this one is draft.'
    const unspecified = { ...DEFAULT_UNSPECIFIED, statusOfUnpublished }
    const patched = applyFormPatch(formRecord(), { status: 'closed' }, 2000, unspecified)
    expect(patched).toStrictEqual({
      ok: false,
      refusal: { ...(code && { code }), field: 'status', message },
    })
  })

  it('[FORM-04] shows its instants, or null', () => {
    const settings = { publicUrl: 'http://formwire.test', unspecified: DEFAULT_UNSPECIFIED } as Settings
    expect(formWire(formRecord({ opensAt: 0, updatedAt: 2000 }), 2000, settings)).toMatchObject({
      opens_at: '1970-01-01T00:00:00.000Z',
      closes_at: null,
      created_at: '1970-01-01T00:00:01.000Z',
      updated_at: '1970-01-01T00:00:02.000Z',
    })
  })

  it('[FORM-08] accepts the current status past its end, also where reopening is refused', () => {
    const unspecified = { ...DEFAULT_UNSPECIFIED, reopen: 'refusedPastEnd' } as const
    const patch = (before: 'published' | 'closed', status: 'published' | 'closed') =>
      applyFormPatch(formRecord({ status: before, closesAt: 1999 }), { status }, 2000, unspecified)
    expect(patch('published', 'published')).toMatchObject({ value: { status: 'published', updatedAt: 2000 } })
    expect(patch('published', 'closed')).toMatchObject({ value: { status: 'closed' } })
    expect(patch('closed', 'published')).toMatchObject({ refusal: { field: 'status' } })
  })
})
