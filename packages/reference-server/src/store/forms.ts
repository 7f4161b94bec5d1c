import type { KnownFormStatus } from '@formwire/contract'
import type { FormRecord } from '../domain/form.ts'
import { byText } from './compare.ts'
import { OrderedMap } from './ordered-map.ts'

export interface FormsDump {
  readonly forms: readonly FormRecord[]
  readonly lastRevision: number
}

/** Which list: every form of the workspace, or those in one status. */
type Shelf = 'all' | KnownFormStatus

interface ListKey {
  readonly workspaceId: number
  readonly shelf: Shelf
  readonly updatedAt: number
  readonly revision: number
}

/** Most recently updated first, also among those updated in one instant (FORM-01). */
const byUpdate = (a: ListKey, b: ListKey): number =>
  a.workspaceId - b.workspaceId ||
  byText(a.shelf, b.shelf) ||
  b.updatedAt - a.updatedAt ||
  b.revision - a.revision

/** Part of a list. */
export interface Page<Item> {
  readonly items: Item[]
  /** Items of the whole list. */
  readonly total: number
}

/** Forms, found by id or slug, and listed by update without what is in the trash. */
export class FormsTable {
  #byId = new OrderedMap<string, FormRecord>(byText)
  #bySlug = new OrderedMap<string, string>(byText)
  #listed = new OrderedMap<ListKey, FormRecord>(byUpdate)
  #lastRevision = 0

  nextRevision(): number {
    return ++this.#lastRevision
  }

  /** Trashed forms too. */
  get(id: string): FormRecord | undefined {
    return this.#byId.get(id)
  }

  /** Trashed forms too. */
  bySlug(slug: string): FormRecord | undefined {
    const id = this.#bySlug.get(slug)
    return id === undefined ? undefined : this.#byId.get(id)
  }

  /** Every form, trashed ones too, by id. */
  all(): IterableIterator<FormRecord> {
    return this.#byId.values()
  }

  /** Part of a workspace's list, trashed forms left out. */
  list(
    workspaceId: number,
    status: KnownFormStatus | undefined,
    from: number,
    count: number,
  ): Page<FormRecord> {
    const shelf = status ?? 'all'
    const start = this.#listed.rank({ workspaceId, shelf, updatedAt: Infinity, revision: Infinity })
    const end = this.#listed.rank({ workspaceId, shelf, updatedAt: -Infinity, revision: -Infinity })
    const total = end - start
    return { items: this.#listed.slice(start + from, Math.min(count, total - from)), total }
  }

  /** Adds a form or replaces the one with its id. */
  put(form: FormRecord): void {
    const before = this.#byId.get(form.id)
    if (before) {
      if (before.slug !== form.slug) this.#bySlug.delete(before.slug)
      this.#unlist(before, form)
    }
    this.#byId.set(form.id, form)
    if (before?.slug !== form.slug) this.#bySlug.set(form.slug, form.id)
    if (form.trashedAt === null) {
      this.#listed.set(listKey(form, 'all'), form)
      this.#listed.set(listKey(form, form.status), form)
    }
    this.#lastRevision = Math.max(this.#lastRevision, form.revision)
  }

  fork(): FormsTable {
    const copy = new FormsTable()
    copy.#byId = this.#byId.clone()
    copy.#bySlug = this.#bySlug.clone()
    copy.#listed = this.#listed.clone()
    copy.#lastRevision = this.#lastRevision
    return copy
  }

  dump(): FormsDump {
    return { forms: [...this.#byId.values()], lastRevision: this.#lastRevision }
  }

  static load(dump: FormsDump): FormsTable {
    const table = new FormsTable()
    for (const form of dump.forms) table.put(form)
    table.#lastRevision = Math.max(table.#lastRevision, dump.lastRevision)
    return table
  }

  /** Takes a form off the lists, unless its next version stands in the very same places. */
  #unlist(before: FormRecord, after: FormRecord): void {
    if (before.trashedAt !== null) return
    const stays =
      after.trashedAt === null &&
      before.workspaceId === after.workspaceId &&
      before.updatedAt === after.updatedAt &&
      before.revision === after.revision
    if (stays && before.status === after.status) return
    this.#listed.delete(listKey(before, before.status))
    if (!stays) this.#listed.delete(listKey(before, 'all'))
  }
}

const listKey = (form: FormRecord, shelf: Shelf): ListKey => ({
  workspaceId: form.workspaceId,
  shelf,
  updatedAt: form.updatedAt,
  revision: form.revision,
})
