/** The exit codes of every command, in one place. */
export const EXIT = {
  /** Success. */
  done: 0,
  /** The request failed, or the expected event did not happen. */
  failed: 1,
  /** Usage error: nothing was done. */
  usage: 2,
  /** No such form, response, webhook or delivery is accessible to the key. */
  notFound: 3,
  /** The key is missing, invalid or not permitted to do this. */
  notAllowed: 4,
  /** Still rate limited after one wait. */
  rateLimited: 5,
  /** The server could not be reached. */
  unreachable: 6,
  /** Stopped by SIGINT, SIGTERM or SIGHUP. */
  interrupted: 130,
  /** Stopped by SIGTERM, for commands that run as services. */
  terminated: 143,
} as const

/** One of the documented exit codes. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** The meaning of each code, as help and the README print it. */
export const EXIT_MEANING: Readonly<Record<ExitCode, string>> = {
  0: 'success',
  1: 'failed',
  2: 'usage error',
  3: 'not found',
  4: 'not authenticated or not allowed',
  5: 'rate limited',
  6: 'could not reach the server',
  130: 'interrupted',
  143: 'terminated',
}
