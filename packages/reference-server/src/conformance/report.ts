import type { Unspecified } from '../unspecified.ts'

/** `held`, `broken`, `observed` (a rule that leaves it open), or `skipped` with the reason. */
export type Outcome = 'held' | 'broken' | 'observed' | 'skipped'

/** What one case found. */
export interface CaseResult {
  readonly rules: readonly string[]
  readonly title: string
  readonly outcome: Outcome
  /** Why it is broken or skipped, or what was observed. */
  readonly finding: string | null
  /** What was asked and what came, at most twelve lines; never a key, a secret or a body. */
  readonly evidence: readonly string[]
}

/** What a run found. */
export interface ConformanceReport {
  readonly base_url: string
  readonly form_id: string
  /** Whether cases that write were run. */
  readonly write: boolean
  readonly totals: Readonly<Record<Outcome, number>>
  readonly results: readonly CaseResult[]
  /** What the deployment does where the document is open: a file for `formwire-server --unspecified FILE`. */
  readonly profile: Partial<Unspecified>
}

/** Counts results by their outcome. */
export function totalsOf(results: readonly CaseResult[]): Record<Outcome, number> {
  const totals: Record<Outcome, number> = { held: 0, broken: 0, observed: 0, skipped: 0 }
  for (const { outcome } of results) totals[outcome] += 1
  return totals
}

/** The report for people: one line a case, evidence under what is broken. */
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

const MARKS: Record<Outcome, string> = {
  held: 'held    ',
  broken: 'BROKEN  ',
  observed: 'observed',
  skipped: 'skipped ',
}
