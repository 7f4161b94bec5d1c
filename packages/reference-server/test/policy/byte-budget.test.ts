import { expect, it } from 'vitest'
import { ByteBudget } from '../../src/policy/byte-budget.ts'

const KIB = 1024

it('[ERR-01] never counts more than its maximum, and counts what was released again', () => {
  const budget = new ByteBudget(10 * KIB)
  const first = budget.open('192.0.2.1')
  expect(first.reserve(22 * KIB)).toBe(true)
  expect(first.reserve(5 * KIB)).toBe(false)
  expect(first.reserve(4 * KIB)).toBe(true)
  expect(first.reserve(1)).toBe(false)
  first.release()
  const second = budget.open('192.0.2.1')
  expect(second.reserve(26 * KIB)).toBe(true)
  expect(second.reserve(1)).toBe(false)
})

it('[ERR-01] never refuses the first 16 KiB of a body, however much others hold', () => {
  const budget = new ByteBudget(10 * KIB)
  expect(budget.open('192.0.2.1').reserve(26 * KIB)).toBe(true)
  const small = budget.open('192.0.2.1')
  expect([small.reserve(10 * KIB), small.reserve(6 * KIB), small.reserve(1)]).toEqual([true, true, false])
})

it('[ERR-01] leaves half of it to other addresses, unless a single body of an address holds more', () => {
  const budget = new ByteBudget(100 * KIB)
  const bodies = [1, 2, 3].map(() => budget.open('192.0.2.1'))
  expect(bodies.map((body) => body.reserve(36 * KIB))).toEqual([true, true, false])
  expect(budget.open('192.0.2.2').reserve(76 * KIB)).toBe(true)
  for (const body of bodies) body.release()
  const single = budget.open('192.0.2.1')
  expect([single.reserve(56 * KIB), single.reserve(1)]).toEqual([true, false])
})

it.each([
  ['2001:db8::1', '2001:db8:0:0:ffff::1', '2001:db8:0:1::1'],
  ['::1', '::2:0:0:1', '1::1'],
  ['::ffff:192.0.2.1', '::ffff:192.0.2.1', '::ffff:192.0.2.2'],
])('[ERR-01] counts an IPv6 client by its first 64 bits: %s', (address, same, other) => {
  const budget = new ByteBudget(100 * KIB)
  const bodies = [address, same, other].map((from) => budget.open(from))
  expect(bodies.map((body) => body.reserve(56 * KIB))).toEqual([true, false, true])
})
