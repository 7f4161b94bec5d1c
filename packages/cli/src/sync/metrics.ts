import type { FormStatus, QueueStatus, RunStatus } from '@formwire/sync'
import { Counter, Gauge, Registry } from 'prom-client'

/** What is measured, at one instant. */
export interface Measured {
  workspaces: readonly {
    workspace: string
    status: RunStatus
    /** How far its tables are; undefined if the database cannot be read. */
    forms: readonly FormStatus[] | undefined
  }[]
  /** The queue of a fleet. */
  queue?: QueueStatus | undefined
  isDatabaseUp: boolean
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
    Number(measured.isDatabaseUp),
  )

  const rows = gauge('rows', 'Submitted responses in the table.', ['workspace', 'form'])
  const lag = gauge(
    'lag_seconds',
    'Seconds from the submission of the newest response to the last write of its row.',
    ['workspace', 'form'],
  )
  const forms = gauge('forms', 'Forms in the database that exist.', ['workspace'])
  for (const { workspace, status, forms: found } of measured.workspaces) {
    // Of a workspace that was never listed, nothing is known.
    if (!found || (found.length === 0 && status.rounds === 0)) continue
    forms.set({ workspace }, found.length)
    for (const { id: form, rows: number, lag_seconds } of grouped(found)) {
      rows.set({ workspace, form }, number)
      if (lag_seconds !== null) lag.set({ workspace, form }, lag_seconds)
    }
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
  const { queue } = measured
  if (queue) {
    const jobs = gauge('queue_jobs', 'Forms in the queue of the fleet by state.', ['state'])
    for (const state of ['queued', 'active', 'retrying'] as const) jobs.set({ state }, queue[state])
    gauge('queue_oldest_seconds', 'Age of the oldest form that can be read now.').set(queue.oldest_seconds)
    gauge('queue_dead_letters', 'Forms that failed too often.').set(queue.failed)
  }
  return await registry.metrics()
}

/** Returns the largest forms of a workspace, and the others together: the sum of their rows, and the longest lag. */
function grouped(forms: readonly FormStatus[]): Pick<FormStatus, 'id' | 'rows' | 'lag_seconds'>[] {
  const sorted = forms.toSorted((a, b) => b.rows - a.rows)
  const others = sorted.slice(MAX_FORMS)
  if (others.length === 0) return sorted
  const lags = others.flatMap(({ lag_seconds }) => (lag_seconds === null ? [] : [lag_seconds]))
  const other = {
    id: OTHER_FORMS,
    rows: others.reduce((sum, { rows }) => sum + rows, 0),
    lag_seconds: lags.length > 0 ? Math.max(...lags) : null,
  }
  return [...sorted.slice(0, MAX_FORMS), other]
}
