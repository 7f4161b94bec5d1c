import type { Given } from '@formwire/internal/given'
import type { Unspecified } from '../unspecified.ts'

/** `held`, `broken`, `observed` (unspecified behaviour), or `skipped` with the reason. */
export type CaseOutcome = 'held' | 'broken' | 'observed' | 'skipped'

/** The result of one case. */
export interface CaseResult {
  readonly rules: readonly string[]
  readonly title: string
  readonly outcome: CaseOutcome
  /** Why the case is broken or skipped, or what was observed. */
  readonly finding: string | null
  /** The last requests and their outcomes, at most twelve lines. Never a key, a secret or a body. */
  readonly evidence: readonly string[]
}

/** The result of a run. */
export interface ConformanceReport {
  readonly base_url: string
  readonly form_id: string
  /** Whether cases that write were included. */
  readonly write: boolean
  readonly totals: Readonly<Record<CaseOutcome, number>>
  readonly results: readonly CaseResult[]
  /** The observed unspecified behaviour, in the format of `formwire-server --unspecified FILE`. */
  readonly profile: Given<Unspecified>
}

/** Counts results by outcome. */
export function totalsOf(results: readonly CaseResult[]): Record<CaseOutcome, number> {
  const totals: Record<CaseOutcome, number> = { held: 0, broken: 0, observed: 0, skipped: 0 }
  for (const { outcome } of results) totals[outcome] += 1
  return totals
}

/** Renders a report as text: one line per case, with evidence below broken cases. */
export function renderReport(report: ConformanceReport): string {
  const { totals } = report
  const lines = report.results.flatMap(({ rules, title, outcome, finding, evidence }) => [
    `${MARKS[outcome]} [${rules.join('] [')}] ${title}${finding === null ? '' : `: ${finding}`}`,
    ...(outcome === 'broken' ? evidence.map((line) => `    ${line}`) : []),
  ])
  return [
    `Conformance of ${report.base_url}, form ${report.form_id}${report.write ? '' : ' (read-only)'}`,
    '',
    ...lines,
    '',
    `${totals.held} held, ${totals.broken} broken, ${totals.observed} observed, ${totals.skipped} skipped`,
    '',
  ].join('\n')
}

const MARKS: Record<CaseOutcome, string> = {
  held: 'held    ',
  broken: 'BROKEN  ',
  observed: 'observed',
  skipped: 'skipped ',
}
