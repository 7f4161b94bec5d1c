/** A plugin of Stryker: of all mutants, only the sample runs. `FORMWIRE_SAMPLE` names a file with the places of its mutants. */
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { root } from '../../scripts/project/project.ts'

interface Position {
  readonly line: number
  readonly column: number
}

export interface Mutant {
  readonly id: string
  readonly fileName: string
  readonly mutatorName: string
  readonly replacement?: string | undefined
  /** Counted from 0. */
  readonly location: { readonly start: Position; readonly end: Position }
}

/** Names a mutant among those of the same sources. */
export function placeOf({ fileName, mutatorName, replacement, location: { start, end } }: Mutant): string {
  const range = [start.line, start.column, end.line, end.column]
  return [relative(root, fileName), ...range, mutatorName, replacement].join(':')
}

function sampled() {
  const places = new Set<string>(JSON.parse(readFileSync(process.env.FORMWIRE_SAMPLE as string, 'utf8')))
  return {
    init: async () => undefined,
    group: async (mutants: Mutant[]) => [mutants.map(({ id }) => id)],
    check: async (mutants: Mutant[]) =>
      Object.fromEntries(
        mutants.map((mutant) => {
          const status = places.has(placeOf(mutant)) ? 'passed' : 'compileError'
          return [mutant.id, { status, reason: 'not in the sample' }]
        }),
      ),
  }
}

export const strykerPlugins = [{ kind: 'Checker', name: 'sampled', factory: sampled }]
