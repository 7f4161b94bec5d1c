import type { Mutant } from './mutants.ts'

interface Place {
  /** The key of the mutant, as the report prints it. */
  key: string
  /** Where it is, for people. */
  at: string
}

/** Mutants that no input shows, by the reason. */
export const EQUIVALENTS: Record<string, readonly Place[]> = {}

const keys = new Set(Object.values(EQUIVALENTS).flatMap((places) => places.map(({ key }) => key)))

export function isEquivalent({ key }: Mutant): boolean {
  return keys.has(key)
}
