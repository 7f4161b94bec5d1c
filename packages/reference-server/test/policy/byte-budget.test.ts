import { expect, it } from 'vitest'
import { ByteBudget } from '../../src/policy/byte-budget.ts'

it('a byte budget reserves what fits, and again what was released', () => {
  const budget = new ByteBudget(10)
  expect(budget.reserve(6)).toBe(true)
  expect(budget.reserve(5)).toBe(false)
  expect(budget.reserve(4)).toBe(true)
  expect(budget.reserve(1)).toBe(false)
  budget.release(6)
  expect(budget.reserve(7)).toBe(false)
  expect(budget.reserve(6)).toBe(true)
})
