/** The exit codes of every command, in one place. */
export const EXIT = {
  /** Done. */
  done: 0,
  /** The request failed, or what was waited for did not happen. */
  failed: 1,
  /** Wrong usage: nothing was done. */
  usage: 2,
  /** No such form, response, webhook or delivery in reach of the key. */
  notFound: 3,
  /** No key, a wrong one, or one that is not allowed to do this. */
  notAllowed: 4,
  /** Rate limited, also after one wait. */
  rateLimited: 5,
  /** The server could not be reached. */
  unreachable: 6,
  /** Ended by SIGINT or SIGTERM. */
  interrupted: 130,
} as const

/** One of the documented exit codes. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** What each code says, as help and README print it. */
export const EXIT_MEANING: Readonly<Record<ExitCode, string>> = {
  0: 'done',
  1: 'failed',
  2: 'wrong usage',
  3: 'not found',
  4: 'not authenticated or not allowed',
  5: 'rate limited',
  6: 'could not reach the server',
  130: 'interrupted',
}
