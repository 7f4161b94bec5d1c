import { type Failure, fileProblem, usage } from '../failure.ts'

/** Parses a port; 0 is any free one. @throws Failure exit 2 */
export function port(text: string, option: string): number {
  const number = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (number <= 65_535) return number
  throw usage(`${option} must be an integer from 0 to 65535, got "${text}"`)
}

/** Returns the usage error for a port that cannot be listened on. @param option that chooses another one */
export function portFailure(error: unknown, port: number, option: string): Failure {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE')
    return usage(`port ${port} is already in use`, `choose another with ${option} (0 = any free port)`)
  if (code === 'EACCES')
    return usage(
      `port ${port} requires elevated privileges`,
      `choose one above 1023 with ${option} (0 = any free port)`,
    )
  return usage(`cannot listen on port ${port}: ${fileProblem(error)}`)
}
