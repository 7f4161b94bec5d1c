import type { Form } from '@formwire/contract'
import type { Formwire } from '@formwire/sdk'
import { checkFunctions, checkNames, invalid, readCommon } from '../check-options.ts'
import type { SyncStore } from '../database/driver.ts'
import type { SyncProgress } from '../options.ts'
import { isGone } from '../round/errors.ts'
import { AuditReads } from '../store/audit-reads.ts'
import { explained } from '../store/migrations.ts'
import { viewsOf } from '../store/views.ts'
import { workspaceOf } from '../store/workspace.ts'
import { auditForm, auditUnknownForm, type FormAuditContext } from './form-audit.ts'
import type { Audit, FormAudit } from './result.ts'

export type { Audit, AuditDifference, FormAudit } from './result.ts'

/** Options of {@link audit}. */
export interface AuditOptions {
  /** Client of the service. A read key is enough. */
  formwire: Formwire
  /** Database to compare, which is only read. Synchronize one of an earlier version first: that upgrades its tables. */
  store: SyncStore
  /** Ids of forms, or all forms of the key's workspace. */
  forms: readonly string[] | 'all'
  /** Whether drafts have rows. @default the drafts of a form are compared if the table has any of them */
  drafts?: boolean | undefined
  /** False for a database that is synchronized with `deletions: false`: rows of deleted responses are no differences. @default true */
  deletions?: boolean | undefined
  /** Called while a form is read. */
  onProgress?: ((progress: SyncProgress) => void) | undefined
  /** Ends the audit with the reason of the signal. */
  signal?: AbortSignal | undefined
}

const NAMES: { [Name in keyof Required<AuditOptions>]: true } = {
  formwire: true,
  store: true,
  forms: true,
  drafts: true,
  deletions: true,
  onProgress: true,
  signal: true,
}

/**
 * Compares the rows of the key's workspace with the service: every column of every response that comes from the service, and the view of each form. Sends
 * GET requests only, one per 100 responses, and one for each difference that is read again, at most 100 per form.
 *
 * A form is compared at the instant of its first request. Responses that are submitted, changed or deleted after it are no
 * differences: what differs is read again on both sides, and counts if it differs again while the response has not changed. If responses are
 * deleted before their page is read, rows that have no response are counted once a reading finds the total stable, or after three readings.
 * What the service had before that instant and the database does not have yet is a difference.
 *
 * Memory does not depend on the number of responses.
 *
 * @example
 * const { equal, forms } = await audit({ formwire, store: sqliteStore('responses.db'), forms: 'all' })
 * @throws SyncUsageError for an invalid option. @throws StoreError if the database fails, or `refused` without tables of this version.
 * @throws the SDK's errors, such as NotFoundError for a given form that does not exist
 */
export async function audit(options: AuditOptions): Promise<Audit> {
  checkNames('audit()', options, NAMES)
  const { formwire, store, signal, drafts, deletions = true, onProgress } = options
  const { forms: chosen } = readCommon({ formwire, forms: options.forms, signal })
  if (typeof store?.read !== 'function')
    throw invalid('store', 'a store, such as sqliteStore("responses.db")', store)
  for (const [name, value] of Object.entries({ drafts, deletions }))
    if (value !== undefined && typeof value !== 'boolean') throw invalid(name, 'true or false', value)
  checkFunctions({ onProgress })
  const sentBefore = formwire.budget.sent
  await store.load?.()
  const found = await readForms(formwire, chosen, signal)
  const workspaceId = await workspaceOf(store, formwire, signal)
  const reads = new AuditReads(store, workspaceId)
  const views = viewsOf(store, workspaceId)
  const context: FormAuditContext = {
    formwire,
    reads,
    dialect: store.dialect,
    view: (formId) => views.definition(reads.session, formId),
    drafts,
    deletions,
    signal,
    onProgress: (formId, read, total) => onProgress?.({ formId, read, total }),
  }
  const forms: FormAudit[] = []
  for (const formId of found) {
    signal?.throwIfAborted()
    try {
      forms.push(await auditForm(context, formId))
    } catch (error) {
      // Trashed since it was found: its rows stay.
      if (!isGone(error)) throw await explained(store, error)
    }
  }
  if (chosen === 'all') forms.push(...(await auditOthers(context, new Set(found))))
  return {
    equal: forms.every(({ equal }) => equal),
    forms,
    requests: formwire.budget.sent - sentBefore,
  }
}

async function readForms(
  formwire: Formwire,
  chosen: readonly string[] | 'all',
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const ids: string[] = []
  const forms =
    chosen === 'all' ? formwire.forms.list({ per_page: 100 }, { signal }) : given(formwire, chosen, signal)
  for await (const { id } of forms) ids.push(id)
  return ids
}

async function* given(
  formwire: Formwire,
  ids: readonly string[],
  signal: AbortSignal | undefined,
): AsyncGenerator<Form> {
  for (const id of ids) yield await formwire.forms.get(id, { signal })
}

/** Compares rows of forms that were not listed: new ones, and those that never existed. */
async function auditOthers(context: FormAuditContext, known: ReadonlySet<string>): Promise<FormAudit[]> {
  const audits: FormAudit[] = []
  for (const formId of await context.reads.formsWithoutRow()) {
    if (known.has(formId)) continue
    try {
      await context.formwire.forms.get(formId, { signal: context.signal })
      audits.push(await auditForm(context, formId))
    } catch (error) {
      if (!isGone(error)) throw error
      audits.push(await auditUnknownForm(context, formId))
    }
  }
  return audits
}
