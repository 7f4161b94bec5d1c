import type { JunitSuite } from '../output/junit.ts'
import { safeLine } from '../output/text-safety.ts'
import type { CaseResult, ConformanceReport } from './report.ts'

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
