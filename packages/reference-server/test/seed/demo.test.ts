import { QUESTION_TYPES } from '@formwire/contract'
import { describe, expect, it } from 'vitest'
import { isShown } from '../../src/seed/answers.ts'
import { demoSeed } from '../../src/seed/demo.ts'
import type { SeedForm } from '../../src/seed/format.ts'
import { resolveInstant } from '../../src/seed/instant.ts'
import { emptySeed } from '../../src/seed/load.ts'
import { parseSeed } from '../../src/seed/parse.ts'

const NOW = Date.parse('2026-11-21T12:00:00Z')
const demo = await demoSeed()
const forms = demo.workspaces.flatMap((workspace) => workspace.forms ?? [])

describe('the demo seed', () => {
  it('is a valid seed', () => {
    expect(parseSeed(JSON.parse(JSON.stringify(demo)))).toEqual(demo)
  })

  it('[RESP-07] has a form with answers to all 22 question types', () => {
    const retreat = forms.find((form) => form.id === 'retreatform1') as SeedForm
    expect(retreat.questions?.map((question) => question.type)).toEqual([...QUESTION_TYPES])
    expect(retreat.questions?.some((question) => question.points)).toBe(true)
    const answered = new Set(
      retreat.responses?.flatMap((response) => response.answers.map((a) => a.question_id)),
    )
    expect(answered).toEqual(new Set(QUESTION_TYPES))
  })

  it('[RESP-06] has no answer to a question that is hidden by logic', () => {
    for (const form of forms) {
      for (const { answers } of form.responses ?? []) {
        for (const answer of answers) {
          const question = form.questions?.find((candidate) => candidate.id === answer.question_id)
          expect(question && isShown(question, answers)).toBe(true)
        }
      }
    }
  })

  it('dates every response between the creation and the end of its form, and before loading', () => {
    for (const form of forms) {
      const created = resolveInstant(form.created_at as string, NOW)
      for (const response of form.responses ?? []) {
        const [started, submitted] = [response.started_at, response.submitted_at].map((at) =>
          resolveInstant(at as string, NOW),
        ) as [number, number]
        expect(started).toBeGreaterThanOrEqual(created)
        expect(submitted).toBeGreaterThan(started)
        expect(submitted).toBeLessThan(NOW)
        if (form.closes_at) expect(submitted).toBeLessThan(resolveInstant(form.closes_at, NOW))
      }
    }
  })

  it('uses only email addresses under example.com', () => {
    const emails = JSON.stringify(demo).match(/[\w.]+@[\w.]+/g) ?? []
    expect(emails.filter((email) => !email.endsWith('@example.com'))).toEqual([])
  })
})

it('has one workspace on business, its owner, a write key and a read key if it is empty', () => {
  expect(parseSeed(emptySeed()).workspaces).toMatchObject([
    {
      plan: 'business',
      members: [{ user: 'owner@example.com', role: 'owner' }],
      keys: [{ scope: 'write' }, { scope: 'read' }],
    },
  ])
})
