import { isObjectOrArray } from '@formwire/internal/json'
import { shapeOf, typeOfName } from './question/question-types.ts'

/** Represents the fields that a later version may add (ENV-04). */
const EXTRA = { x_added_later: { note: 'unknown fields are ignored', list: [1, { deep: true }] } }

/** Members whose keys are data rather than fields (option ids, campaign parameters). They are left unchanged. */
const OPEN_MAPS = new Set(['utm', 'points'])

/** Adds an unknown field to every object of a JSON value, at every depth. Values of grid answers are left unchanged. */
export function withExtraFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withExtraFields)
  if (!isObjectOrArray(value)) return value
  const entries = Object.entries(value).map(([name, member]) => [
    name,
    isMap(name, value) ? member : withExtraFields(member),
  ])
  return { ...Object.fromEntries(entries), ...EXTRA }
}

function isMap(name: string, parent: object): boolean {
  const shape = 'type' in parent ? shapeOf(typeOfName(String(parent.type))) : undefined
  return OPEN_MAPS.has(name) || (name === 'value' && (shape === 'grid_single' || shape === 'grid_multiple'))
}
