import type { AnswerValues, ChoiceValue, KnownQuestionType } from '@formwire/contract'
import { type TypeTally, UNKNOWN_CHOICE } from '../tally.ts'
import type { KeyedRandom } from './random.ts'

const DAY_MS = 86_400_000

/**
 * Returns a value of the type that other answers to the question have as well, or that is between them: as many options, one of the
 * rows' columns, a number, date or time. It does not depend on the original, so that it may be the same by chance: if it never was,
 * one of two options would show that the original is the other one.
 */
export function drawn(
  type: KnownQuestionType,
  value: unknown,
  tally: TypeTally,
  random: KeyedRandom,
): AnswerValues[KnownQuestionType] {
  if (typeof value === 'number') return numberBetween(tally.min, tally.max, random)
  if (type === 'date') return dateBetween(tally.first ?? '', tally.last ?? '', random) ?? '2026-01-01'
  if (type === 'time') return timeBetween(tally.first ?? '', tally.last ?? '', random)
  if (type === 'grid_single' || type === 'grid_multiple') {
    const columns = tally.columns.ids
    const draw = (): string => columns[random.below(columns.length)] ?? UNKNOWN_CHOICE
    const rows = Object.entries(value as Record<string, string | string[]>)
    return Object.fromEntries(
      rows.map(([row, cell]) => [row, Array.isArray(cell) ? someOf(columns, cell.length, random) : draw()]),
    ) as AnswerValues['grid_single']
  }
  const { ids, other } = value as ChoiceValue
  const isRanking = type === 'ranking'
  return { ids: someOf(isRanking ? ids : tally.optionIds(), ids.length, random, isRanking), other }
}

/** Whether there is more than one value to draw from: otherwise all answers stay as they are. */
export function canDraw(type: KnownQuestionType, { min, max, first, last, ...tally }: TypeTally): boolean {
  if (type === 'date' || type === 'time') return first === undefined || first !== last
  return min < max || tally.options.ids.length > 1 || tally.columns.ids.length > 1
}

function numberBetween(min: number, max: number, random: KeyedRandom): number {
  const range = Math.min(max - min, 2 ** 32 - 2)
  // Between the bounds as they are: ratings stay whole, prices get whole steps from the lowest.
  return min + random.below(Math.floor(range) + 1)
}

function dateBetween(first: string, last: string, random: KeyedRandom): string | undefined {
  const [from, to] = [Date.parse(first), Date.parse(last)]
  if (Number.isNaN(from) || Number.isNaN(to)) return undefined
  const day = new Date(from + random.below(Math.round((to - from) / DAY_MS) + 1) * DAY_MS)
  return day.toISOString().slice(0, 'YYYY-MM-DD'.length)
}

function timeBetween(first: string, last: string, random: KeyedRandom): string {
  const [from, to] = [first, last].map((time) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5)))
  const span = Math.max(0, (to ?? 0) - (from ?? 0)) || 0
  const minute = ((from ?? 0) || 0) + random.below(span + 1)
  return [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':')
}

/** Returns different ids in their order, or shuffled. */
function someOf(ids: readonly string[], count: number, random: KeyedRandom, isShuffled = false): string[] {
  const left = ids.map((id, at) => ({ id, at }))
  for (let at = left.length - 1; at > 0; at -= 1) {
    const other = random.below(at + 1)
    const [one, two] = [left[at], left[other]] as [(typeof left)[number], (typeof left)[number]]
    left[at] = two
    left[other] = one
  }
  const some = left.slice(0, count)
  if (!isShuffled) some.sort((one, other) => one.at - other.at)
  return some.map(({ id }) => id)
}
