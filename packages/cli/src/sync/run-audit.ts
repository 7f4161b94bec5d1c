import { type AuditDifference, audit, type FormAudit } from '@formwire/sync'
import type { Context } from '../context.ts'
import { EXIT, type ExitCode } from '../exit.ts'
import type { DatabaseTarget } from '../input/database-target.ts'
import { countOf, grouped, Progress } from '../output/progress.ts'
import { safeIndented } from '../output/text-safety.ts'
import { databaseFailure, openExistingStore, schemaHint } from './store.ts'

/** A parsed `formwire sync audit`. */
export interface AuditRequest {
  target: DatabaseTarget
  /** Schema of the tables in PostgreSQL. */
  schema: string | undefined
  forms: readonly string[] | 'all'
  drafts: boolean | undefined
  deletions: boolean
}

/** Characters of a hash that are shown. */
const HASH_LENGTH = 12

/** Compares a database with the service and prints the result. Exit 1 for a difference. */
export async function runAudit(
  context: Context,
  { target, schema, forms, drafts, deletions }: AuditRequest,
): Promise<ExitCode> {
  const { output, runtime } = context
  const formwire = await context.longClient()
  const store = await openExistingStore(context, target, schema)
  context.onExit(() => store.close())
  const hint = schemaHint(target, schema)
  let progress: { formId: string; bar: Progress } | undefined
  try {
    const result = await audit({
      formwire,
      store,
      forms,
      drafts,
      deletions,
      signal: runtime.stop,
      onProgress({ formId, read, total }) {
        if (progress?.formId !== formId) progress = { formId, bar: new Progress(context, 'responses', total) }
        progress.bar.show(read, formId)
      },
    })
    output.clearProgress()
    if (output.json) {
      const { equal, forms, requests } = result
      await output.document({ equal, forms, requests })
    } else {
      for (const form of result.forms) await output.line(linesOf(form).map(safeIndented).join('\n'))
      const differing = result.forms.filter(({ equal }) => !equal).length
      const verdict = differing === 0 ? 'equal' : `${grouped(differing)} different`
      await output.line(
        `${countOf(result.forms.length, 'form')}: ${verdict} (${countOf(result.requests, 'request')})`,
      )
    }
    if (!result.equal && result.forms.every(({ rows }) => rows === 0))
      output.note(`the tables have no rows of these forms${hint === undefined ? '' : `; ${hint}`}`)
    return result.equal ? EXIT.done : EXIT.failed
  } catch (error) {
    throw databaseFailure(error, hint)
  } finally {
    output.clearProgress()
  }
}

function linesOf({
  id,
  equal,
  rows,
  responses,
  missing,
  extra,
  different,
  first,
  hashes,
}: FormAudit): string[] {
  const counts = `${countOf(rows, 'row')}, ${countOf(responses, 'response')}`
  const short = (hash: string): string => hash.slice(0, HASH_LENGTH)
  if (equal) return [`${id}: equal: ${counts} (hash ${short(hashes.table)})`]
  const found = `${grouped(missing)} missing, ${grouped(extra)} extra, ${grouped(different)} different`
  const sides = `hash ${short(hashes.table)} of the table, ${short(hashes.service)} of the service`
  const more = missing + extra + different - first.length
  return [
    `${id}: different: ${counts}: ${found} (${sides})`,
    ...first.map((one) => `  ${differenceText(one)}`),
    ...(more > 0 ? [`  … and ${grouped(more)} more`] : []),
  ]
}

function differenceText({ id, kind, columns }: AuditDifference): string {
  const where = id === null ? '' : ` ${id}`
  if (kind === 'view' && id === null && columns.length === 0) return 'view: missing'
  return `${kind}${where}${columns.length === 0 ? '' : `: ${columns.join(', ')}`}`
}
