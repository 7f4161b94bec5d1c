import type { JunitSuite } from '../output/junit.ts'
import { safeLine } from '../output/text-safety.ts'

type Conformance = typeof import('@formwire/reference-server/conformance')

/** The report of a run. Its type alone is imported: only a run loads the reference server. */
export type ConformanceReport = Awaited<ReturnType<Conformance['runConformance']>>

/** The result of one case. */
type CaseResult = ConformanceReport['results'][number]

/** How a case ended. */
export type CaseOutcome = CaseResult['outcome']

/** A result and how long its case took. */
export interface TimedResult {
  result: CaseResult
  durationMs: number
}

/** Returns the results as a JUnit suite: one test case each, with its first rule as the class. */
export function junitSuite(
  { base_url, form_id }: ConformanceReport,
  results: readonly TimedResult[],
): JunitSuite {
  return {
    name: `formwire conformance ${base_url} ${form_id}`,
    cases: results.map(({ result: { rules, title, outcome, finding, evidence }, durationMs }) => ({
      className: `formwire.conformance.${rules[0] ?? ''}`,
      name: `[${rules.join('] [')}] ${title}`,
      durationMs,
      ...(outcome === 'broken'
        ? { failure: [finding ?? 'broken', ...evidence].map(safeLine).join('\n') }
        : {}),
      ...(outcome === 'skipped' ? { skipped: safeLine(finding ?? 'skipped') } : {}),
    })),
  }
}

const OUTCOMES: readonly CaseOutcome[] = ['broken', 'held', 'observed', 'skipped']

/** Returns the report as Markdown for the summary page of a CI job: totals, broken cases with evidence, then all cases. */
export function markdownSummary(report: ConformanceReport): string {
  const { base_url, form_id, write, totals, results } = report
  const broken = results.filter(({ outcome }) => outcome === 'broken')
  const verdict =
    broken.length === 0 ? '✅ No rule is broken' : `❌ ${broken.length} of ${results.length} cases failed`
  return [
    `## Conformance: ${verdict}`,
    '',
    `Service \`${code(base_url)}\`, form \`${code(form_id)}\`${write ? '' : ', read-only'}`,
    '',
    row(OUTCOMES),
    row(OUTCOMES.map(() => '---:')),
    row(OUTCOMES.map((outcome) => String(totals[outcome]))),
    '',
    ...broken.flatMap(brokenCase),
    '<details><summary>All cases</summary>',
    '',
    row(['Rules', 'Case', 'Outcome', 'Finding']),
    row(['---', '---', '---', '---']),
    ...results.map(({ rules, title, outcome, finding }) =>
      row([
        rules.join(', '),
        cell(title),
        outcome === 'broken' ? '**broken**' : outcome,
        cell(finding ?? ''),
      ]),
    ),
    '',
    '</details>',
    '',
  ].join('\n')
}

function brokenCase({ rules, title, finding, evidence }: CaseResult): string[] {
  return [
    `### ${rules.join(', ')}: ${cell(title)}`,
    '',
    cell(finding ?? ''),
    '',
    ...(evidence.length === 0 ? [] : ['```', ...evidence.map((line) => code(line)), '```', '']),
  ]
}

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

/** Returns untrusted text that is neither markup nor the end of a table cell. */
function cell(text: string): string {
  return safeLine(text).replace(/[\\`*_[\]<>|#&!]/g, (character) => `\\${character}`)
}

/** Returns untrusted text for code, which it cannot end. */
function code(text: string): string {
  return safeLine(text).replaceAll('`', "'")
}
