import { describe, expect, it } from 'vitest'
import { readSubmitToken, SubmitTokensTable } from '../../src/store/submit-tokens.ts'

const NOW = 1_795_251_600_000
const FORM = 'formsurvey01'
const WEEK = 604_800_000

function issueAndUse(table: SubmitTokensTable, responseId: number, now = NOW): string {
  const token = table.issue(now, 'secret')
  table.use({ token, formId: FORM, responseId }, now)
  return token
}

describe('one-use tokens', () => {
  it('are all different, and contain when they were issued', () => {
    const table = new SubmitTokensTable()
    expect([table.issue(NOW, 'abc'), table.issue(NOW, 'abc'), table.issue(-5, 'x')]).toEqual([
      '1795251600000.1.abc',
      '1795251600000.2.abc',
      '-5.3.x',
    ])
  })

  it('lead to the response of their form', () => {
    const table = new SubmitTokensTable()
    const token = issueAndUse(table, 7)
    expect(table.statusOf(token, FORM, NOW)).toEqual({ kind: 'used', responseId: 7 })
    expect(table.statusOf(token, 'otherform001', NOW)).toEqual({ kind: 'expired' })
    expect(table.statusOf(table.issue(NOW, 'x'), FORM, NOW)).toEqual({ kind: 'unused' })
  })

  it('expire after a week', () => {
    const table = new SubmitTokensTable()
    const token = table.issue(NOW, 'x')
    expect(table.statusOf(token, FORM, NOW + WEEK - 1)).toEqual({ kind: 'unused' })
    expect(table.statusOf(token, FORM, NOW + WEEK)).toEqual({ kind: 'expired' })
    expect(table.statusOf(token, FORM, NOW - 1)).toEqual({ kind: 'expired' })
  })

  it('are forgotten a week after their issue', () => {
    const table = new SubmitTokensTable()
    const first = issueAndUse(table, 1)
    const second = table.issue(NOW + 1, 'x')
    table.use({ token: second, formId: FORM, responseId: 2 }, NOW + WEEK - 1)
    expect(table.dump()).toMatchObject({ expiredUpTo: null, used: [{ token: first }, { token: second }] })
    const third = issueAndUse(table, 3, NOW + WEEK)
    expect(table.dump()).toMatchObject({ expiredUpTo: first, used: [{ token: second }, { token: third }] })
  })

  it('are forgotten at once if they are used too late', () => {
    const table = new SubmitTokensTable()
    const token = table.issue(NOW, 'x')
    table.use({ token, formId: FORM, responseId: 1 }, NOW + WEEK)
    expect(table.dump()).toEqual({ issued: 1, expiredUpTo: token, used: [] })
  })

  it('do not accept another secret with the same number', () => {
    const table = new SubmitTokensTable()
    const token = issueAndUse(table, 7)
    const forged = token.replace('secret', 'guess')
    expect([table.statusOf(forged, FORM, NOW), table.statusOf(token, FORM, NOW)]).toEqual([
      { kind: 'unused' },
      { kind: 'used', responseId: 7 },
    ])
  })

  it.each([
    '',
    '1795251600000',
    '1795251600000.1',
    '1795251600000.1.',
    '1795251600000..x',
    '.1.x',
    'a.1.x',
    '1795251600000.a.x',
    '1795251600000.1.x-y',
    '1795251600000.1.x\n',
    ' 1795251600000.1.x',
    '--5.1.x',
    '1234567890123456.1.x',
    '5.1234567890123456.x',
    `5.1.${'x'.repeat(41)}`,
  ])('are not any text: %j', (text) => {
    const table = new SubmitTokensTable()
    expect(readSubmitToken(text)).toBeUndefined()
    expect(table.statusOf(text, FORM, NOW)).toEqual({ kind: 'expired' })
    expect(() => table.use({ token: text, formId: FORM, responseId: 1 }, NOW)).toThrow(
      'Not a token of a form page.',
    )
  })

  it.each([
    ['0.1.x', 0, 1],
    ['-5.10.aZ9', -5, 10],
    [`123456789012345.123456789012345.${'x'.repeat(40)}`, 123456789012345, 123456789012345],
  ])('are read: %j', (token, issuedAt, number) => {
    expect(readSubmitToken(token)).toEqual({ issuedAt, number, token })
  })

  it('are forgotten oldest first beyond the maximum, with all that were issued before, even at one instant', () => {
    const table = new SubmitTokensTable(3)
    const unused = table.issue(NOW, 'unused')
    const tokens = [1, 2, 3, 4].map((id) => issueAndUse(table, id))
    const later = table.issue(NOW, 'later')
    expect([unused, ...tokens, later].map((token) => table.statusOf(token, FORM, NOW).kind)).toEqual([
      'expired',
      'expired',
      'used',
      'used',
      'used',
      'unused',
    ])
    expect(table.dump()).toEqual({
      issued: 6,
      expiredUpTo: tokens[0],
      used: tokens.slice(1).map((token, index) => ({ token, formId: FORM, responseId: index + 2 })),
    })
  })

  it('are forgotten in the order of their numbers, not of their texts', () => {
    const table = new SubmitTokensTable(2)
    const tokens = Array.from({ length: 11 }, () => table.issue(NOW, 'x'))
    const used = tokens.slice(8)
    for (const token of used) table.use({ token, formId: FORM, responseId: 1 }, NOW)
    expect(used.map((token) => table.statusOf(token, FORM, NOW).kind)).toEqual(['expired', 'used', 'used'])
  })

  it('survive a copy and a dump, independent of the original', () => {
    const table = new SubmitTokensTable(1)
    const first = issueAndUse(table, 1)
    const second = issueAndUse(table, 2)
    const copies = [table.fork(), new SubmitTokensTable().load(JSON.parse(JSON.stringify(table.dump())))]
    issueAndUse(table, 3)
    for (const copy of copies) {
      expect([first, second].map((token) => copy.statusOf(token, FORM, NOW).kind)).toEqual([
        'expired',
        'used',
      ])
      expect(copy.issue(NOW, 'x')).toBe('1795251600000.3.x')
    }
  })
})
