import { errorJson, recognizeCopies } from '@formwire/internal/error-class'
import { helpUrlOf } from '@formwire/internal/help-page'

/** An error whose class has a section on the help page. */
export class ExplainedError extends Error {
  /** URL of the page that explains the error. */
  get helpUrl(): string {
    return helpUrlOf(this.name)
  }

  /** For a log: the message too. */
  toJSON(): Record<string, unknown> {
    return errorJson(this)
  }
}

/** A package that an entry point needs is not installed, or is too old. `cause` is the error of the module loader, if there was one. */
export class PackageError extends ExplainedError {
  override readonly name = 'PackageError'
  /** Name of the missing package. */
  readonly packageName: string

  constructor(entryPoint: string, packageName: string, oldest: string, cause?: unknown) {
    const problem = cause === undefined ? 'an older version is installed' : 'it could not be loaded'
    super(
      `${entryPoint} requires ${packageName} ${oldest} or newer, but ${problem}; install it with "npm install --save-dev ${packageName}@latest".`,
      cause === undefined ? undefined : { cause },
    )
    this.packageName = packageName
  }
}
recognizeCopies(PackageError, 'PackageError')
