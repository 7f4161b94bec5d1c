import type { RowChange } from '@formwire/sync'
import { grouped } from '../output/progress.ts'
import { safeLine } from '../output/text-safety.ts'

/** Ids that are named of the rows of one form with the same change. */
const NAMED = 10

const KINDS = ['inserted', 'updated', 'deleted'] as const

/** What a synchronization found to differ from the service, and repaired. */
export class Repairs {
  readonly #forms = new Map<string, Map<RowChange['kind'], { count: number; ids: number[] }>>()

  add(changes: readonly RowChange[]): void {
    for (const { kind, formId, id } of changes) {
      const form = this.#forms.get(formId) ?? new Map()
      this.#forms.set(formId, form)
      const rows = form.get(kind) ?? { count: 0, ids: [] }
      form.set(kind, rows)
      rows.count += 1
      if (rows.ids.length < NAMED) rows.ids.push(id)
    }
  }

  /** Returns one line for each form that differed. */
  lines(): string[] {
    return [...this.#forms].map(([formId, kinds]) => {
      const parts = KINDS.flatMap((kind) => {
        const { count = 0, ids = [] } = kinds.get(kind) ?? {}
        const named = `${ids.join(', ')}${count > ids.length ? ', …' : ''}`
        return count === 0 ? [] : [`${grouped(count)} ${kind} (${named})`]
      })
      return safeLine(`${formId}: ${parts.join(', ')}`)
    })
  }
}
