import { exceededLimit } from '@formwire/internal/json'

/** A page of 100 responses with 1,000 answers each has 1,300,000 values. */
const LIMITS = { depth: 1000, values: 4_000_000 }
/** Longest JSON that is parsed without counting its values, of which it has at most as many as characters. */
const UNCOUNTED_LENGTH = 1024 * 1024

/**
 * Parses JSON. Returns `undefined` if it is invalid, without the SyntaxError, which quotes the text, or if it {@link isExcessive}.
 *
 * @param uncounted longest text that may have more of them. @default 1 MiB
 */
export function parseJson(text: string, uncounted: number = UNCOUNTED_LENGTH): unknown {
  try {
    return isExcessive(text, uncounted) ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Whether JSON has more levels or values than are read, which could take seconds and gigabytes to parse.
 *
 * @param uncounted longest text that may have more of them. @default 1 MiB
 */
export function isExcessive(text: string, uncounted: number = UNCOUNTED_LENGTH): boolean {
  return text.length > uncounted && exceededLimit(text, LIMITS) !== undefined
}
