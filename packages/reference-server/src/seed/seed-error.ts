import { recognizeCopies } from '@formwire/internal/error-class'
import { ExplainedError } from '../explained-error.ts'

/** A problem in a seed, with its path, such as `workspaces[0].forms[2].title`. */
export interface SeedIssue {
  path: string
  message: string
}

const SHOWN_ISSUES = 10

/** An invalid seed. `message` lists at most ten problems; `issues` contains all of them. */
export class SeedError extends ExplainedError {
  override readonly name = 'SeedError'
  readonly issues: readonly SeedIssue[]

  constructor(issues: readonly SeedIssue[]) {
    const shown = issues
      .slice(0, SHOWN_ISSUES)
      .map(({ path, message }) => `  ${path || '(the seed)'}: ${message}`)
    const rest = issues.length - shown.length
    if (rest > 0) shown.push(`  … and ${rest} more`)
    super(`The seed cannot be loaded:\n${shown.join('\n')}`)
    this.issues = issues
  }
}
recognizeCopies(SeedError, 'SeedError')
