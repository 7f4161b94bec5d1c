import { EQUIVALENTS, isEquivalent } from './equivalents.ts'
import type { Mutant } from './mutants.ts'
import { moduleOf } from './packages.ts'
import { noticed, type Results } from './results.ts'

interface Row {
  mutants: number
  killed: number
  equivalent: number
}

/** Returns a Markdown table with the results of each module, and its sum. */
export function table(mutants: readonly Mutant[], results: Results): string {
  const rows = new Map<string, Row>()
  const add = (name: string, mutant: Mutant): void => {
    const row = rows.get(name) ?? { mutants: 0, killed: 0, equivalent: 0 }
    rows.set(name, row)
    row.mutants += 1
    if (noticed(results[mutant.key])) row.killed += 1
    else if (isEquivalent(mutant)) row.equivalent += 1
  }
  for (const mutant of mutants) add(moduleOf(mutant.file), mutant)
  const sorted = [...rows].sort(([a], [b]) => (a < b ? -1 : 1))
  for (const mutant of mutants) add('**All**', mutant)
  const lines = [...sorted, ...[...rows].slice(-1)].map(
    ([name, { mutants, killed, equivalent }]) =>
      `| ${name} | ${mutants} | ${killed} | ${equivalent} | ${mutants - killed - equivalent} | ${percent(killed, mutants - equivalent)} |`,
  )
  return [
    '| Module | Mutants | Killed | Equivalent | Left | Killed of those that are not equivalent |',
    '|---|---|---|---|---|---|',
    ...lines,
  ].join('\n')
}

/** Returns the mutants that nothing noticed and that are not known to be equivalent, by their places. */
export function survivors(mutants: readonly Mutant[], results: Results): string {
  return mutants
    .filter((mutant) => !noticed(results[mutant.key]) && !isEquivalent(mutant))
    .sort((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1))
    .map(({ key, file, line, mutator, original, replacement }) => {
      const status = results[key]?.status ?? 'not run'
      return `${file}:${line} ${mutator} (${status}, ${key})\n  - ${short(original)}\n  + ${short(replacement)}`
    })
    .join('\n')
}

/** Returns the classes of equivalent mutants with their numbers, as a Markdown list. */
export function classes(mutants: readonly Mutant[], results: Results): string {
  return Object.entries(EQUIVALENTS)
    .map(([reason, places]) => {
      const count = mutants.filter(
        (mutant) => !noticed(results[mutant.key]) && places.some(({ key }) => key === mutant.key),
      ).length
      return { reason, count }
    })
    .filter(({ count }) => count > 0)
    .map(({ reason, count }) => `| ${reason} | ${count} |`)
    .join('\n')
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`
}

function short(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  return line.length > 160 ? `${line.slice(0, 160)}…` : line
}
