import type { ExitCode } from '../exit.ts'

export interface Check {
  name: 'version' | 'node' | 'configuration' | 'server' | 'key' | 'clock'
  /** `warning`: works, but should be changed. `skipped`: could not be checked because of another fault. */
  status: 'ok' | 'warning' | 'fault' | 'skipped'
  message: string
  /** What to do about a warning or fault. */
  hint?: string | undefined
  /** Exit code of a fault. */
  exitCode?: ExitCode | undefined
}

export const check = (
  name: Check['name'],
  status: Check['status'],
  message: string,
  hint?: string,
  exitCode?: ExitCode,
): Check => ({ name, status, message, hint, exitCode })
