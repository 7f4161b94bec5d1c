import { describe, expect, it } from 'vitest'
import { publicLink } from '../../src/domain/form-status.ts'
import { formRecord } from './form-record.ts'

const publication = { title: 'Survey', questions: [], publishedAt: 1000 }
const form = formRecord({ status: 'published', publication })

describe('a public link', () => {
  it.each([
    ['no form', undefined, 'missing'],
    ['a form never published', { publication: null }, 'missing'],
    ['a draft, whatever it has published', { status: 'draft' }, 'missing'],
    ['a form in the trash', { trashedAt: 1500 }, 'missing'],
    ['a closed form', { status: 'closed' }, 'closed'],
    ['an archived form', { status: 'archived' }, 'closed'],
    ['an instant before it opens', { opensAt: 2001 }, 'not_yet_open'],
    ['the instant at which it opens', { opensAt: 2000 }, 'open'],
    ['the instant before it closes', { closesAt: 2001 }, 'open'],
    ['the instant at which it closes', { closesAt: 2000 }, 'past_end'],
    ['one response less than the limit', { responseLimit: 3, responseCount: 2 }, 'open'],
    ['as many responses as the limit', { responseLimit: 3, responseCount: 3 }, 'full'],
    ['a closed form that is full too', { status: 'closed', responseLimit: 1, responseCount: 1 }, 'closed'],
  ] as const)('[FORM-07] [FORM-13] judges %s', (_what, changes, expected) => {
    const link = publicLink(changes && { ...form, ...changes }, 2000)
    expect(link.kind === 'closed' && expected !== 'closed' ? link.reason : link.kind).toBe(expected)
    if (link.kind === 'open') expect(link.publication).toBe(publication)
  })
})
