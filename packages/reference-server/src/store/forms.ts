import type { KnownFormStatus } from '@formwire/contract'
import { byText, OrderedMap } from '../collections/ordered-map.ts'
import type { FormRecord } from '../domain/form.ts'
import { type FormStyle, statusAt } from '../domain/form-status.ts'

export interface FormsDump {
  readonly forms: readonly FormRecord[]
  readonly lastRevision: number
}

/** Selects a list: all forms of a workspace, or those with one status. */
type Shelf = 'all' | KnownFormStatus

interface ListKey {
  readonly workspaceId: number
  readonly shelf: Shelf
  readonly updatedAt: number
  readonly revision: number
}

/** Most recently updated first, also among forms updated at the same instant (FORM-01). */
const byUpdate = (a: ListKey, b: ListKey): number =>
  a.workspaceId - b.workspaceId ||
  byText(a.shelf, b.shelf) ||
  b.updatedAt - a.updatedAt ||
  b.revision - a.revision

/** A published form with an end date. */
interface EndKey {
  readonly at: number
  readonly id: string
}

const byEnd = (a: EndKey, b: EndKey): number => a.at - b.at || byText(a.id, b.id)

/** Sorts after every id of a form. */
const LAST_ID = '\uffff'

/** Part of a list. */
export interface Page<Item> {
  readonly items: Item[]
  /** Number of items of the whole list. */
  readonly total: number
}

/**
 * Forms by id and by slug, and lists of those not in the trash by update. A form whose status changes at its end date
 * moves to another list when the lists are first read after that instant.
 */
export class FormsTable {
  readonly #style: FormStyle
  #byId = new OrderedMap<string, FormRecord>(byText)
  #bySlug = new OrderedMap<string, string>(byText)
  #listed = new OrderedMap<ListKey, FormRecord>(byUpdate)
  /** Listed forms that change their status at their end. */
  #ending = new OrderedMap<EndKey, FormRecord>(byEnd)
  /** The instant that the lists show. */
  #shelvedAt = Number.NEGATIVE_INFINITY
  #lastRevision = 0

  /** @param style Whether dates change the status. @default they do not */
  constructor(style: FormStyle = { datesChangeStatus: 'false' }) {
    this.#style = style
  }

  nextRevision(): number {
    return ++this.#lastRevision
  }

  /** Includes trashed forms. */
  get(id: string): FormRecord | undefined {
    return this.#byId.get(id)
  }

  /** Includes trashed forms. */
  bySlug(slug: string): FormRecord | undefined {
    return this.#byId.get(this.#bySlug.get(slug) ?? '')
  }

  /** Yields every form by id, trashed ones included. */
  all(): IterableIterator<FormRecord> {
    return this.#byId.values()
  }

  /** Returns part of a workspace's list without trashed forms. `status` is the status at `now`. */
  list(
    workspaceId: number,
    status: KnownFormStatus | undefined,
    now: number,
    from: number,
    count: number,
  ): Page<FormRecord> {
    this.#shelve(now)
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
    this.#bySlug.set(form.slug, form.id)
    if (form.trashedAt === null) {
      this.#listed.set(listKey(form, 'all'), form)
      this.#listed.set(listKey(form, this.#shelfOf(form)), form)
      if (this.#endChanges(form)) this.#ending.set({ at: form.closesAt, id: form.id }, form)
    }
    this.#lastRevision = Math.max(this.#lastRevision, form.revision)
  }

  fork(): FormsTable {
    const copy = new FormsTable(this.#style)
    copy.#byId = this.#byId.clone()
    copy.#bySlug = this.#bySlug.clone()
    copy.#listed = this.#listed.clone()
    copy.#ending = this.#ending.clone()
    copy.#shelvedAt = this.#shelvedAt
    copy.#lastRevision = this.#lastRevision
    return copy
  }

  dump(): FormsDump {
    return { forms: [...this.#byId.values()], lastRevision: this.#lastRevision }
  }

  static load(dump: FormsDump, style: FormStyle): FormsTable {
    const table = new FormsTable(style)
    for (const form of dump.forms) table.put(form)
    table.#lastRevision = Math.max(table.#lastRevision, dump.lastRevision)
    return table
  }

  /** Removes a form from the lists, unless its next version has the same positions. */
  #unlist(before: FormRecord, after: FormRecord): void {
    if (this.#endChanges(before)) this.#ending.delete({ at: before.closesAt, id: before.id })
    const stays =
      after.trashedAt === null &&
      before.workspaceId === after.workspaceId &&
      before.updatedAt === after.updatedAt &&
      before.revision === after.revision
    const shelf = this.#shelfOf(before)
    if (stays && shelf === this.#shelfOf(after)) return
    this.#listed.delete(listKey(before, shelf))
    if (!stays) this.#listed.delete(listKey(before, 'all'))
  }

  #shelfOf(form: FormRecord): KnownFormStatus {
    return statusAt(form, this.#shelvedAt, this.#style)
  }

  #endChanges(form: FormRecord): form is FormRecord & { closesAt: number } {
    return this.#style.datesChangeStatus === 'true' && form.status === 'published' && form.closesAt !== null
  }

  /** Moves the forms whose end is between the lists' instant and `now`, in either direction. */
  #shelve(now: number): void {
    const before = this.#shelvedAt
    this.#shelvedAt = now
    const from = this.#ending.rank({ at: Math.min(before, now), id: LAST_ID })
    const end = this.#ending.rank({ at: Math.max(before, now), id: LAST_ID })
    for (const form of this.#ending.slice(from, end - from)) {
      this.#listed.delete(listKey(form, statusAt(form, before, this.#style)))
      this.#listed.set(listKey(form, this.#shelfOf(form)), form)
    }
  }
}

const listKey = (form: FormRecord, shelf: Shelf): ListKey => ({
  workspaceId: form.workspaceId,
  shelf,
  updatedAt: form.updatedAt,
  revision: form.revision,
})
