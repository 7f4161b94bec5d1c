import { describe, expect, it } from 'vitest'
import { closedReason, publicationOf } from '../../src/domain/form-status.ts'
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
    const judged = changes && { ...form, ...changes }
    const link =
      judged && publicationOf(judged) === publication ? (closedReason(judged, 2000) ?? 'open') : 'missing'
    expect([publicationOf(judged), link]).toEqual([
      expected === 'missing' ? undefined : publication,
      expected,
    ])
  })
})
