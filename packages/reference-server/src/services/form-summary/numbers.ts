import type { NumberTally } from '@formwire/contract/control'

/** Bars of a tally of numbers that are not few whole ones. */
const BARS = 10
/** Most whole numbers with a bar each. */
const WHOLE_MAX = 21

/** Returns the average, rounded to two decimals, or `null` without numbers. */
export const average = (numbers: readonly number[]): number | null =>
  numbers.length === 0 ? null : rounded(numbers.reduce((sum, one) => sum + one, 0) / numbers.length)

/** Returns the median, or `null` without numbers. */
export function median(numbers: readonly number[]): number | null {
  if (numbers.length === 0) return null
  const sorted = Float64Array.from(numbers).sort()
  const middle = sorted.length >> 1
  const upper = sorted[middle] as number
  return sorted.length % 2 === 1 ? upper : rounded(((sorted[middle - 1] as number) + upper) / 2)
}

const rounded = (value: number): number => Math.round(value * 100) / 100

/**
 * Returns how many numbers fall on each of a few whole numbers, or else into each of ten equal parts of their range.
 *
 * @param bounds Bounds of the question; those of the numbers where it has none.
 */
export function tallyNumbers(
  numbers: readonly number[],
  bounds: { readonly min: number | undefined; readonly max: number | undefined },
): NumberTally[] {
  const least = bounds.min ?? numbers.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
  const most = bounds.max ?? numbers.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
  const isWhole = Number.isInteger(least) && Number.isInteger(most) && numbers.every(Number.isInteger)
  if (isWhole && most - least < WHOLE_MAX) {
    const tally = Array.from({ length: most - least + 1 }, (_, index) => bar(least + index, least + index))
    for (const one of numbers) if (tally[one - least]) (tally[one - least] as NumberTally).count += 1
    return tally
  }
  const width = (most - least) / BARS
  const tally = Array.from({ length: BARS }, (_, index) =>
    bar(rounded(least + index * width), rounded(least + (index + 1) * width)),
  )
  for (const one of numbers) {
    const index = Math.min(BARS - 1, Math.max(0, Math.floor((one - least) / width)))
    ;(tally[index] as NumberTally).count += 1
  }
  return tally
}

const bar = (from: number, to: number): NumberTally => ({ from, to, count: 0 })
