import { describe, expect, it } from 'vitest'
import type { FormRecord } from '../../src/domain/form.ts'
import { type FormAction, transition } from '../../src/domain/form-status.ts'
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
