export type { CaseContext, Observation, RuleCase } from './case.ts'
export {
  type CaseOutcome as Outcome,
  type CaseResult,
  type ConformanceReport,
  renderReport,
} from './report.ts'
export { type ConformanceOptions, OBSERVATIONS, RULE_CASES, runConformance } from './run.ts'
