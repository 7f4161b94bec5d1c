import { exceededLimit, parseJson as parse } from '@formwire/internal/json'

/** A page of 100 responses with 1,000 answers each has 1,300,000 values. */
const LIMITS = { depth: 1000, values: 4_000_000 }
/** Longest JSON that is parsed without counting its values, of which it has at most as many as characters. */
const UNCOUNTED_LENGTH = 1024 * 1024

/**
 * Parses JSON. Returns `undefined` if it is invalid, without the SyntaxError, which quotes the text, or if it exceeds a limit.
 *
 * @param uncounted longest text that may have more of them. @default 1 MiB
 */
export function parseJson(text: string, uncounted: number = UNCOUNTED_LENGTH): unknown {
  return excessOf(text, uncounted) ? undefined : parse(text)
}

/**
 * Returns whether JSON has more levels or more values than are read, which could take seconds and gigabytes to parse.
 *
 * @param uncounted longest text that may have more of them. @default 1 MiB
 */
export function excessOf(text: string, uncounted: number = UNCOUNTED_LENGTH): 'depth' | 'values' | undefined {
  return text.length > uncounted ? exceededLimit(text, LIMITS) : undefined
}
