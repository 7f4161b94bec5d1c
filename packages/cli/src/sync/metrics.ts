import type { FormStatus, SyncStatus } from '@formwire/sync'
import { Counter, Gauge, Registry } from 'prom-client'

/** What is measured, at one instant. */
export interface Measured {
  workspaces: readonly { workspace: string; status: SyncStatus }[]
  /** How far the tables are; undefined if the database cannot be read. */
  forms: readonly FormStatus[] | undefined
  isReady: boolean
  version: string
}

/** Forms of a workspace with series of their own, those with the most rows. The others share one with this name. */
const MAX_FORMS = 200
const OTHER_FORMS = 'other'

/** The media type of {@link exposition}. */
export const EXPOSITION_TYPE = Registry.PROMETHEUS_CONTENT_TYPE

/** Returns the metrics in the text format of Prometheus. */
export async function exposition(measured: Measured): Promise<string> {
  const registry = new Registry()
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name: `formwire_sync_${name}`, help, labelNames, registers: [registry] })
  const counter = (name: string, help: string, labelNames: string[] = []) =>
    new Counter({ name: `formwire_sync_${name}`, help, labelNames, registers: [registry] })

  gauge('build_info', 'Version of the command; always 1.', ['version', 'node_version']).set(
    { version: measured.version, node_version: process.versions.node },
    1,
  )
  gauge('ready', 'Whether the first round has ended and the database and the service respond.').set(
    Number(measured.isReady),
  )
  gauge('database_up', 'Whether the database could be read for this scrape.').set(
    Number(measured.forms !== undefined),
  )

  const rows = gauge('rows', 'Submitted responses in the table.', ['workspace', 'form'])
  const lag = gauge(
    'lag_seconds',
    'Seconds from the submission of the newest response to the last write of its row.',
    ['workspace', 'form'],
  )
  const forms = gauge('forms', 'Forms in the database that exist.', ['workspace'])
  for (const form of grouped(measured.forms ?? [])) {
    const labels = { workspace: form.workspace_id, form: form.form_id }
    forms.inc({ workspace: form.workspace_id }, form.count)
    rows.set(labels, form.rows)
    if (form.lag_seconds !== null) lag.set(labels, form.lag_seconds)
  }

  const rounds = counter('rounds_total', 'Rounds that ended.', ['workspace'])
  const success = gauge(
    'last_success_timestamp_seconds',
    'When a round last left nothing to read, as Unix time.',
    ['workspace'],
  )
  const failing = gauge('failing_forms', 'Forms that the service fails for.', ['workspace'])
  const errors = counter('errors_total', 'Errors by code.', ['workspace', 'code'])
  const changes = counter('changes_total', 'Changes of rows by kind.', ['workspace', 'kind'])
  const requests = counter('requests_total', 'Requests sent to the service, retries included.', ['workspace'])
  const free = gauge('budget_free_requests', 'Requests that the rate budget allows to start now.', [
    'workspace',
  ])
  for (const { workspace, status } of measured.workspaces) {
    rounds.inc({ workspace }, status.rounds)
    if (status.up_to_date_at !== null) success.set({ workspace }, Date.parse(status.up_to_date_at) / 1000)
    failing.set({ workspace }, status.failing_forms)
    for (const [code, count] of Object.entries(status.errors)) errors.inc({ workspace, code }, count)
    for (const [kind, count] of Object.entries(status.changes)) changes.inc({ workspace, kind }, count)
    requests.inc({ workspace }, status.requests.sent)
    if (status.requests.free !== null) free.set({ workspace }, status.requests.free)
  }
  return await registry.metrics()
}

/** One form, or what the smaller ones of a workspace have together. */
type Group = FormStatus & { count: number }

/** Returns the largest forms of each workspace, and the others together: the sum of their rows, and the longest lag. */
function grouped(forms: readonly FormStatus[]): Group[] {
  const found = new Map<string, Group[]>()
  for (const form of [...forms].sort((a, b) => b.rows - a.rows)) {
    const groups = found.get(form.workspace_id) ?? []
    found.set(form.workspace_id, groups)
    const last = groups.at(-1)
    if (groups.length <= MAX_FORMS || !last) {
      groups.push({ ...form, count: 1, form_id: groups.length < MAX_FORMS ? form.form_id : OTHER_FORMS })
      continue
    }
    last.count += 1
    last.rows += form.rows
    if (form.lag_seconds !== null) last.lag_seconds = Math.max(last.lag_seconds ?? 0, form.lag_seconds)
  }
  return [...found.values()].flat()
}
