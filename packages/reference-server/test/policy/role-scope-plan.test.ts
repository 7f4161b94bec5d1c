import { describe, expect, it } from 'vitest'
import { checkEndpointLimit } from '../../src/policy/endpoint-limit.ts'
import {
  accessOf,
  planAllows,
  roleAllows,
  roleMayCreateKey,
  scopeAllows,
} from '../../src/policy/role-scope-plan.ts'

const ACCESSES = ['read', 'write'] as const

describe('access', () => {
  it('[AUTH-03] is needed for writing unless the method is GET', () => {
    expect(['GET', 'POST', 'PATCH', 'DELETE'].map(accessOf)).toEqual(['read', 'write', 'write', 'write'])
  })

  it('[AUTH-03] of a write key includes reading', () => {
    expect(ACCESSES.map((access) => scopeAllows('read', access))).toEqual([true, false])
    expect(ACCESSES.map((access) => scopeAllows('write', access))).toEqual([true, true])
  })

  it.each([
    ['viewer', false],
    ['editor', true],
    ['owner', true],
  ] as const)('[AUTH-04] [AUTH-05] of the role %s includes reading, and writing: %s', (role, writes) => {
    expect(ACCESSES.map((access) => roleAllows(role, access))).toEqual([true, writes])
    expect(ACCESSES.map((scope) => roleMayCreateKey(role, scope))).toEqual([true, writes])
  })

  it.each([
    ['free', false, false],
    ['starter', true, false],
    ['business', true, true],
  ] as const)('[AUTH-11] of the plan %s to read: %s, to write: %s', (plan, reads, writes) => {
    expect(ACCESSES.map((access) => planAllows(plan, access))).toEqual([reads, writes])
  })
})

describe('the limits of webhook endpoints', () => {
  const limits = { perForm: 10, plan: 'starter', eleventhEndpoint: '422' } as const
  const check = (ofForm: number, ofWorkspace: number, changes: object = {}) => {
    const checked = checkEndpointLimit({ ofForm, ofWorkspace, ...limits, ...changes })
    return checked.ok ? 'accepted' : checked.refusal
  }

  it('[HOOK-06] allow ten for each form', () => {
    const message = 'The form already has 10 webhook endpoints; delete one first.'
    expect(check(9, 9)).toBe('accepted')
    expect(check(10, 10)).toEqual({ code: 'validation_failed', message })
    expect(check(10, 10, { eleventhEndpoint: '403' })).toEqual({ code: 'forbidden', message })
  })

  it('[HOOK-09] allow what the plan does for all forms together', () => {
    const refusal = (most: number) => ({
      message: `The plan allows at most ${most} webhook endpoints per workspace.`,
    })
    expect(check(0, 19)).toBe('accepted')
    expect(check(0, 20)).toEqual(refusal(20))
    expect(check(0, 0, { plan: 'free' })).toEqual(refusal(0))
    expect(check(0, 0, { plan: undefined })).toEqual(refusal(0))
    expect(check(0, 1_000_000, { plan: 'business' })).toBe('accepted')
  })
})
