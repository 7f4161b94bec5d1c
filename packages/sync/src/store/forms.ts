import type { Form } from '@formwire/contract'
import type { Session, SqlValue, SyncStore } from '../database/driver.ts'
import { integerOf, textOf } from '../rows/row.ts'
import { iso, marks } from './statements.ts'

/** Writes the table of forms. */
export class Forms<Transaction> {
  readonly #store: SyncStore<Transaction>
  readonly #now: () => number

  constructor(store: SyncStore<Transaction>, now: () => number) {
    this.#store = store
    this.#now = now
  }

  /** Writes forms that exist, each in a transaction. Their views are created with their responses, if only none. */
  async write(forms: readonly Form[]): Promise<void> {
    for (const form of forms)
      await this.#store.transaction(form.id, (session) => this.#writeForm(session, form))
  }

  /** Writes the forms whose rows differ. */
  async writeChanged(forms: readonly Form[]): Promise<void> {
    const rows = await this.#store.read('SELECT * FROM formwire_forms WHERE deleted_at IS NULL')
    const stored = new Map(rows.map((row) => [row.id, row]))
    await this.write(
      forms.filter((form) => {
        const row = stored.get(this.#text(form.id))
        const { synced_at, ...values } = this.#values(form)
        return !row || Object.entries(values).some(([name, value]) => !isSame(row[name], value))
      }),
    )
  }

  #values(form: Form): Record<string, SqlValue> {
    const { dialect } = this.#store
    const text = (value: unknown): string | null => textOf(value, dialect)
    return {
      id: this.#text(form.id),
      title: text(form.title),
      status: text(form.status),
      slug: text(form.slug),
      url: text(form.url),
      published: typeof form.published === 'boolean' ? dialect.boolean(form.published) : null,
      response_count: integerOf(form.response_count),
      response_limit: integerOf(form.response_limit),
      opens_at: text(form.opens_at),
      closes_at: text(form.closes_at),
      created_at: text(form.created_at),
      updated_at: text(form.updated_at),
      synced_at: iso(this.#now()),
      deleted_at: null,
    }
  }

  async #writeForm(session: Session, form: Form): Promise<void> {
    const values = this.#values(form)
    const names = Object.keys(values)
    const updates = names.slice(1).map((name) => `${name} = excluded.${name}`)
    await session.query(
      `INSERT INTO formwire_forms (${names.join(', ')}) VALUES (${marks(names.length)})
        ON CONFLICT (id) DO UPDATE SET ${updates.join(', ')}`,
      Object.values(values),
    )
  }

  /** Sets `deleted_at` of a form that is lost. Its responses stay. Returns whether that is new. */
  markLost(formId: string): Promise<boolean> {
    return this.#store.transaction(formId, async (session) => {
      const now = iso(this.#now())
      const changed = await session.run(
        'UPDATE formwire_forms SET deleted_at = ?, synced_at = ? WHERE id = ? AND deleted_at IS NULL',
        [now, now, this.#text(formId)],
      )
      return changed > 0
    })
  }

  #text(value: string): string {
    return this.#store.dialect.text(value)
  }
}

/** Whether a column has a value. Drivers return integers as texts, and booleans as numbers where there is no type for them. */
function isSame(stored: unknown, value: SqlValue): boolean {
  return stored === value || (stored !== null && value !== null && String(stored) === String(value))
}
