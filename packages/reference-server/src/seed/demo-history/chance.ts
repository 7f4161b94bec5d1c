import { type RandomSource, seededRandom } from '../../random.ts'

/** Repeatable draws. They do not advance the random source of the server, which gives ids and secrets. */
export interface Chance {
  /** From 0 to 1, without 1. */
  share(): number
  /** A whole number of a range, both ends included. */
  between(min: number, max: number): number
  pick<Item>(items: readonly [Item, ...Item[]]): Item
}

/** @param seed The same seed gives the same draws. */
export function createChance(seed: number): Chance {
  const random: RandomSource = seededRandom(seed)
  const share = (): number => {
    const [high = 0, middle = 0, low = 0] = random.bytes(3)
    return (high * 65_536 + middle * 256 + low) / 0x100_0000
  }
  const between = (min: number, max: number): number => min + Math.floor(share() * (max - min + 1))
  return { share, between, pick: (items) => items[between(0, items.length - 1)] as (typeof items)[0] }
}
