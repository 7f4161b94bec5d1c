import fc from 'fast-check'

/** A step of a schedule, with what it needs. */
export const drawn = <Name extends string, Members extends object>(
  weight: number,
  name: Name,
  members: { [Member in keyof Members]: fc.Arbitrary<Members[Member]> },
) => ({
  weight,
  arbitrary: fc.record({ do: fc.constant(name), ...members }) as fc.Arbitrary<{ do: Name } & Members>,
})

/** What an arbitrary draws. */
export type Drawn<Source> = Source extends fc.Arbitrary<infer Value> ? Value : never

/** A number that chooses among what exists. */
export const share = fc.double({ min: 0, max: 0.999, noNaN: true })

/** Returns the item at a share of the list, from 0 to below 1. */
export const pick = <Item>(items: readonly Item[], share: number): Item | undefined =>
  items[Math.floor(share * items.length)]
