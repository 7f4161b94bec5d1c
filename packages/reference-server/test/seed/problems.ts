import { SeedError } from '../../src/index.ts'
import { parseSeed } from '../../src/seed/parse.ts'

/** Returns every problem as `path: message`. */
export function problems(seed: unknown): string[] {
  try {
    parseSeed(seed)
    return []
  } catch (error) {
    if (!(error instanceof SeedError)) throw error
    return error.issues.map(({ path, message }) => `${path}: ${message}`)
  }
}
