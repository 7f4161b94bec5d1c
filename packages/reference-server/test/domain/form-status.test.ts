import { describe, expect, it } from 'vitest'
import type { FormRecord } from '../../src/domain/form.ts'
import { closedReason, type FormAction, publicationOf, transition } from '../../src/domain/form-status.ts'
import { isTitle } from '../../src/domain/form-update.ts'
import { formRecord } from './form-record.ts'

const form = formRecord({ title: 'Builder title' })

const STATUSES = ['draft', 'published', 'closed', 'archived'] as const

/** The status after each action, from each status; a dash where it is refused. */
const TABLE: readonly [FormAction, boolean, string][] = [
  ['publish', false, 'published published published -'],
  ['close', false, '- closed closed -'],
  ['reopen', false, '- published published -'],
  ['archive', false, 'archived archived archived -'],
  ['unarchive', false, '- - - closed'],
  ['trash', false, 'draft published closed archived'],
  ['restore', false, '- - - -'],
  ['publish', true, '- - - -'],
  ['close', true, '- - - -'],
  ['reopen', true, '- - - -'],
  ['archive', true, '- - - -'],
  ['unarchive', true, '- - - -'],
  ['trash', true, '- - - -'],
  ['restore', true, 'draft published closed archived'],
]

describe('transition', () => {
  it.each(TABLE)('applies %s (in the trash: %s) with the results %s', (action, trashed, expected) => {
    const after = STATUSES.map((status) => {
      const before: FormRecord = {
        ...form,
        status,
        trashedAt: trashed ? 1500 : null,
        statusBeforeArchive: status === 'archived' ? 'closed' : null,
      }
      const moved = transition(before, action, 2000)
      if (!moved.ok) return '-'
      expect(moved.value.updatedAt).toBe(2000)
      expect(moved.value.trashedAt).toBe(action === 'trash' ? 2000 : null)
      expect(moved.value.publication).toEqual(
        action === 'publish' ? { title: 'Builder title', questions: [], publishedAt: 2000 } : null,
      )
      const remembered = { archive: status, unarchive: null } as Record<string, string | null>
      expect(moved.value.statusBeforeArchive).toBe(
        remembered[action] ?? (moved.value.status === 'archived' ? 'closed' : null),
      )
      return moved.value.status
    })
    expect(after.join(' ')).toBe(expected)
  })
})

const publication = { title: 'Survey', questions: [], publishedAt: 1000 }
const published = formRecord({ status: 'published', publication })

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
    const judged = changes && { ...published, ...changes }
    const link =
      judged && publicationOf(judged) === publication ? (closedReason(judged, 2000) ?? 'open') : 'missing'
    expect([publicationOf(judged), link]).toEqual([
      expected === 'missing' ? undefined : publication,
      expected,
    ])
  })
})

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
