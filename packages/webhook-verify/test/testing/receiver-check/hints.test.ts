import { type ExpectedStatus, RECEIVER_CHECKS } from '@formwire/webhook-verify/testing'
import { describe, expect, it } from 'vitest'
import {
  isExpected,
  type Outcome,
  type ReceiverCheckName,
} from '../../../src/testing/receiver-check/checks.ts'
import { CLOSED, excerptOf, hintFor } from '../../../src/testing/receiver-check/run-check.ts'

const hint = (name: ReceiverCheckName) => RECEIVER_CHECKS[name].hint

describe('the hint of a check', () => {
  it.each<[ReceiverCheckName, Outcome, string]>([
    ['large_body', { status: null, reason: CLOSED }, hint('large_body')],
    [
      'large_body',
      { status: null, reason: 'ECONNRESET' },
      'The receiver sent no response (ECONNRESET): respond to every delivery, within 10 seconds, before any long work.',
    ],
    [
      'old_timestamp',
      { status: null, reason: CLOSED },
      'The receiver sent no response (the connection was closed) to a delivery that it must refuse: respond with 400 or 401.',
    ],
    ...[300, 399].map((status): [ReceiverCheckName, Outcome, string] => [
      'test_ping',
      { status },
      `The receiver redirects with ${status}, and the service does not follow redirects: respond at this URL itself.`,
    ]),
    ['test_ping', { status: 299 }, hint('test_ping')],
    ['test_ping', { status: 400 }, hint('test_ping')],
    ['test_ping', { status: 404 }, hint('test_ping')],
    ['test_ping', { status: 500 }, hint('test_ping')],
    ['old_timestamp', { status: 200 }, hint('old_timestamp')],
    [
      'old_timestamp',
      { status: 500 },
      'The receiver fails with 500 on a request that it must refuse: catch the error, and respond with 400 or 401.',
    ],
    ['genuine', { status: 401 }, hint('genuine')],
    ['genuine', { status: 499 }, hint('genuine')],
  ])('%s after %j', (name, outcome, expected) => {
    expect(hintFor(RECEIVER_CHECKS[name], outcome)).toBe(expected)
  })
})

it.each<[ExpectedStatus, accepted: number[], refused: (number | null)[]]>([
  ['2xx', [200, 299], [199, 300, 400, null]],
  ['4xx', [400, 499], [399, 500, 200, null]],
])('%s is one of %j, not one of %j', (expected, accepted, refused) => {
  expect(accepted.map((status) => isExpected(expected, status))).toEqual(accepted.map(() => true))
  expect(refused.map((status) => isExpected(expected, status))).toEqual(refused.map(() => false))
})

const SECRET = 'whsec_0123456789abcdef'

it.each([
  ['no match', 'no match'],
  ['', ''],
  ['\n<!DOCTYPE html>\n<html><body>Cannot POST /</body></html>', ''],
  ['<3 is no page', '<3 is no page'],
  ['  a\r\n\t b\u0000\u001b[31mc\u202e\u200bd ', 'a b [31mc d'],
  ['é 👍', 'é 👍'],
  [`key ${SECRET}, ${SECRET}!`, 'key (secret), (secret)!'],
  ['key 0123456789abcdef', 'key (secret)'],
  ['x'.repeat(120), 'x'.repeat(120)],
  ['👍'.repeat(121), `${'👍'.repeat(120)}…`],
  // The secret would be cut off at the end of what was read.
  [`${'\n'.repeat(1_020)}${SECRET.slice(0, 4)}`, ''],
])('the excerpt of %j', (text, expected) => {
  expect(excerptOf(text, SECRET)).toBe(expected)
})

it('keeps words that are the end of a short secret', () => {
  expect(excerptOf('this test of whsec_test', 'whsec_test')).toBe('this test of (secret)')
})
