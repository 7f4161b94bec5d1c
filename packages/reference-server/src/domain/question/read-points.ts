import { isObject } from '@formwire/internal/json'

import type { Choice } from './question.ts'
import { DefinitionError } from './read-parts.ts'

/**
 * Reads `{option_id: points}`. Missing options and the other text give no points. A question with an empty object has no
 * points.
 */
export function readPoints(
  input: unknown,
  path: string,
  options: readonly Choice[],
): Readonly<Record<string, number>> | undefined {
  if (input === undefined || input === null) return undefined
  if (!isObject(input)) throw new DefinitionError(path, 'must be an object from option id to number')
  const known = new Set(options.map((option) => option.id))
  const points = Object.entries(input).map(([id, value]) => {
    if (!known.has(id)) throw new DefinitionError(path, `names "${id}", which is not an option`)
    if (typeof value !== 'number' || !Number.isFinite(value))
      throw new DefinitionError(`${path}.${id}`, 'must be a number')
    return [id, value] as const
  })
  return points.length > 0 ? Object.fromEntries(points) : undefined
}
