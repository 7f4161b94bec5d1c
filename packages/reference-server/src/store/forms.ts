import type { KnownFormStatus } from '@formwire/contract'
import { byText } from '../collections/ordered-map.ts'
import type { FormRecord } from '../domain/form.ts'
import { type FormStyle, statusAt } from '../domain/form-status.ts'
import { Index, type Page, Table } from './table.ts'

export interface FormsDump {
  readonly forms: readonly FormRecord[]
  readonly lastRevision: number
}

type ListKey = Pick<FormRecord, 'workspaceId' | 'updatedAt' | 'revision'>
type ShelfKey = ListKey & Pick<FormRecord, 'status'>

const inOneWorkspace = (a: ListKey, b: ListKey): number => a.workspaceId - b.workspaceId
/** Most recently updated first, also among forms updated at the same instant (FORM-01). */
const byUpdate = (a: ListKey, b: ListKey): number => b.updatedAt - a.updatedAt || b.revision - a.revision
const isListed = ({ trashedAt }: FormRecord): boolean => trashedAt === null

/** Forms by id and by slug, and lists of those not in the trash by update. */
export class FormsTable extends Table<FormRecord, string> {
  protected slugs = new Index<FormRecord, Pick<FormRecord, 'slug'>>((a, b) => byText(a.slug, b.slug))
  protected listed = new Index<FormRecord, ListKey>(
    (a, b) => inOneWorkspace(a, b) || byUpdate(a, b),
    isListed,
  )
  protected shelves = new Index<FormRecord, ShelfKey>(
    (a, b) => inOneWorkspace(a, b) || byText(a.status, b.status) || byUpdate(a, b),
    isListed,
  )
  protected lastRevision = 0
  protected readonly style: FormStyle

  /** @param style Whether dates change the status. @default they do not */
  constructor(style: FormStyle = { datesChangeStatus: 'false' }) {
    super()
    this.style = style
  }

  nextRevision(): number {
    return ++this.lastRevision
  }

  /** Includes trashed forms. */
  bySlug(slug: string): FormRecord | undefined {
    return this.slugs.get({ slug })
  }

  /** Returns part of a workspace's list without trashed forms. `status` is the status at `now`. */
  list(
    workspaceId: number,
    status: KnownFormStatus | undefined,
    now: number,
    from: number,
    count: number,
  ): Page<FormRecord> {
    const newest = { workspaceId, updatedAt: Infinity, revision: Infinity }
    const oldest = { workspaceId, updatedAt: -Infinity, revision: -Infinity }
    if (status === undefined) return this.listed.page(newest, oldest, from, count)
    if (this.style.datesChangeStatus === 'false')
      return this.shelves.page({ ...newest, status }, { ...oldest, status }, from, count)
    const { items } = this.listed.page(newest, oldest)
    const shown = items.filter((form) => statusAt(form, now, this.style) === status)
    return { items: shown.slice(from, from + count), total: shown.length }
  }

  override put(form: FormRecord): FormRecord | undefined {
    this.lastRevision = Math.max(this.lastRevision, form.revision)
    return super.put(form)
  }

  dump(): FormsDump {
    return { forms: this.all(), lastRevision: this.lastRevision }
  }

  load({ forms, lastRevision }: FormsDump): this {
    this.putAll(forms.map(upgraded))
    this.lastRevision = Math.max(this.lastRevision, lastRevision)
    return this
  }
}

/** In the snapshots of earlier versions: the language, and an introduction, a logo and an accent, which are dropped. */
interface Earlier {
  readonly appearance?: Pick<FormRecord, 'language'>
}

const upgraded = (form: FormRecord): FormRecord => ({
  ...withoutAppearance(form),
  publication: form.publication && withoutAppearance(form.publication),
})

const withoutAppearance = <Part extends object>({ appearance, ...part }: Part & Earlier) => ({
  ...part,
  ...(appearance?.language && { language: appearance.language }),
})
