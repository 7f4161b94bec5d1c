import type { KnownQuestionType } from '@formwire/contract'
import { isObject } from '@formwire/internal/json'

/** The ids seen at one place, sorted. `null` if they are too many or too long to list. */
export type Ids = readonly string[] | null

/** A member of an object, or a row of a grid. */
export interface Member {
  readonly name: string
  /** Whether every value has it. */
  readonly required: boolean
  readonly shape: Shape
}

/** One kind of value. */
export type Variant =
  | { readonly kind: PlainKind }
  | { readonly kind: 'choice'; readonly options: Ids }
  | { readonly kind: GridKind; readonly rows: readonly Row[]; readonly columns: Ids }
  | { readonly kind: 'array'; readonly items: Shape }
  | { readonly kind: 'object'; readonly members: readonly Member[] }

/** A row of a grid. */
export type Row = Omit<Member, 'shape'>

type GridKind = 'grid_single' | 'grid_multiple'
/** The kind of a value without parts. */
export type PlainKind = Exclude<(typeof KINDS)[number], GridKind | 'choice' | 'array' | 'object'>

/** What the values of a question look like: a union of variants, at most one of each kind, in the order of `KINDS`. */
export type Shape = readonly Variant[]

const KINDS = [
  'string',
  'date',
  'time',
  'number',
  'boolean',
  'null',
  'choice',
  'grid_single',
  'grid_multiple',
  'files',
  'address',
  'array',
  'object',
  'unknown',
] as const

/** Option ids that are listed at one place; with more, any string fits. */
const MAX_IDS = 500
/** Members that are listed of one object; with more, any value fits. */
const MAX_MEMBERS = 500
/** Length of an id that is listed. */
const MAX_ID_LENGTH = 1_000
const MAX_DEPTH = 6

/** A value of any kind. */
const ANY: Shape = [{ kind: 'unknown' }]

const DATE = /^\d{4}-\d{2}-\d{2}$/
const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/
export const ADDRESS_PARTS = ['line1', 'line2', 'city', 'region', 'postal', 'country'] as const

type Reader = (value: unknown) => Variant | undefined

const plain =
  (kind: PlainKind, fits: (value: unknown) => boolean): Reader =>
  (value) =>
    fits(value) ? { kind } : undefined

const choice: Reader = (value) =>
  isObject(value) && isStrings(value.ids) && (value.other === null || typeof value.other === 'string')
    ? { kind: 'choice', options: idsOf(value.ids) }
    : undefined

const gridSingle: Reader = (value) =>
  isObject(value) && isStrings(Object.values(value)) ? grid('grid_single', value) : undefined

const gridMultiple: Reader = (value) =>
  isObject(value) && Object.values(value).every(isStrings) ? grid('grid_multiple', value) : undefined

const address = plain(
  'address',
  (value) => isObject(value) && ADDRESS_PARTS.every((part) => typeof value[part] === 'string'),
)

/** How the documented values of a kind are recognized. */
const READERS: Readonly<Record<DocumentedKind, Reader>> = {
  string: plain('string', (value) => typeof value === 'string'),
  date: plain('date', (value) => typeof value === 'string' && DATE.test(value)),
  time: plain('time', (value) => typeof value === 'string' && TIME.test(value)),
  number: plain('number', (value) => typeof value === 'number'),
  choice,
  grid_single: gridSingle,
  grid_multiple: gridMultiple,
  files: plain('files', (value) => Array.isArray(value) && value.every(isFile)),
  address,
}

type DocumentedKind = keyof typeof TYPES

/** The question types whose documented values are of a kind (RESP-07). */
const TYPES = {
  string: ['short_text', 'long_text', 'email', 'url', 'phone'],
  date: ['date'],
  time: ['time'],
  number: ['number', 'scale', 'rating', 'nps', 'slider'],
  choice: ['single_choice', 'multiple_choice', 'dropdown', 'yes_no', 'ranking'],
  grid_single: ['grid_single'],
  grid_multiple: ['grid_multiple'],
  files: ['file', 'signature'],
  address: ['address'],
} as const satisfies Partial<Record<Variant['kind'], readonly KnownQuestionType[]>>

const KIND_OF = new Map<string, DocumentedKind>(
  Object.entries(TYPES).flatMap(([kind, types]) => types.map((type) => [type, kind as DocumentedKind])),
)

/** Returns the kind of the values of a question type; undefined if the name of the type is not documented. */
export const kindOf = (type: string): DocumentedKind | undefined => KIND_OF.get(type)

/**
 * Returns the shape of one value. A documented type has its documented shape if the value fits it; everything else is
 * inferred from the value, since type names are open (`questionTypeNames`, ENV-04).
 */
export function shapeOf(value: unknown, type: string): Shape {
  const kind = kindOf(type)
  const documented = kind && READERS[kind](value)
  return documented ? [documented] : [inferred(value, /grid|matrix/i.test(type), 0)]
}

/** Infers a variant. Strings become literals only where they are ids for certain: others may be personal data. */
function inferred(value: unknown, isGrid: boolean, depth: number): Variant {
  if (value === null) return { kind: 'null' }
  const type = typeof value
  if (type === 'string' || type === 'number' || type === 'boolean') return { kind: type }
  if (depth === MAX_DEPTH) return { kind: 'unknown' }
  if (Array.isArray(value)) {
    if (value.length > 0 && value.every(isFile)) return { kind: 'files' }
    return { kind: 'array', items: unionOf(value.map((item) => [inferred(item, false, depth + 1)])) }
  }
  if (!isObject(value)) return { kind: 'unknown' }
  const known =
    choice(value) ?? address(value) ?? (isGrid ? (gridSingle(value) ?? gridMultiple(value)) : undefined)
  if (known) return known
  const names = Object.keys(value)
  if (names.length > MAX_MEMBERS) return { kind: 'unknown' }
  const members = names.sort(byCodeUnits).map((name) => {
    return { name, required: true, shape: [inferred(value[name], false, depth + 1)] }
  })
  return { kind: 'object', members }
}

/** Returns the shape that both fit. */
export function union(one: Shape, two: Shape): Shape {
  const [first] = one
  const [second] = two
  // Most questions have values of a single plain kind: nothing to merge.
  const isSame = one.length === 1 && two.length === 1 && first?.kind === second?.kind
  return one === two || (isSame && first && isPlain(first)) ? one : unionOf([one, two])
}

const isPlain = (variant: Variant): boolean =>
  !('options' in variant || 'rows' in variant || 'items' in variant || 'members' in variant)

function unionOf(shapes: readonly Shape[]): Shape {
  const variants = new Map<Variant['kind'], Variant>()
  for (const variant of shapes.flat()) {
    const known = variants.get(variant.kind)
    variants.set(variant.kind, known ? merged(known, variant) : variant)
  }
  if (variants.has('unknown')) return ANY
  if (variants.has('string')) {
    variants.delete('date')
    variants.delete('time')
  }
  foldEmpty(variants)
  return KINDS.flatMap((kind) => variants.get(kind) ?? [])
}

/** An empty list may be one of files, an empty object a grid without answers. */
function foldEmpty(variants: Map<Variant['kind'], Variant>): void {
  const array = variants.get('array')
  if (array?.kind === 'array' && array.items.length === 0 && variants.has('files')) variants.delete('array')
  const single = variants.get('grid_single')
  const multiple = variants.get('grid_multiple')
  for (const [empty, other] of [
    [single, multiple],
    [multiple, single],
  ]) {
    if (empty && other && 'rows' in empty && 'rows' in other && empty.rows.length === 0) {
      variants.delete(empty.kind)
      variants.set(other.kind, merged(other, { ...empty, kind: other.kind } as Variant))
      return
    }
  }
}

function merged(one: Variant, two: Variant): Variant {
  if (one.kind === 'choice' && two.kind === 'choice') {
    return { kind: 'choice', options: mergedIds(one.options, two.options) }
  }
  if ('rows' in one && 'rows' in two) {
    const rows = mergedMembers(one.rows, two.rows, (row) => row)
    if (rows.length > MAX_MEMBERS) return { kind: 'unknown' }
    return { kind: one.kind, rows, columns: mergedIds(one.columns, two.columns) }
  }
  if (one.kind === 'array' && two.kind === 'array')
    return { kind: 'array', items: union(one.items, two.items) }
  if (one.kind === 'object' && two.kind === 'object') {
    const members = mergedMembers(one.members, two.members, (member, other) => ({
      ...member,
      shape: union(member.shape, other.shape),
    }))
    return members.length > MAX_MEMBERS ? { kind: 'unknown' } : { kind: 'object', members }
  }
  return one
}

/** Members of either; required if both have them and require them. */
function mergedMembers<Item extends Row>(
  one: readonly Item[],
  two: readonly Item[],
  both: (one: Item, two: Item) => Item,
): Item[] {
  const others = new Map(two.map((item) => [item.name, item]))
  const result = one.map((item) => {
    const other = others.get(item.name)
    others.delete(item.name)
    if (!other) return { ...item, required: false }
    return { ...both(item, other), required: item.required && other.required }
  })
  for (const item of others.values()) result.push({ ...item, required: false })
  return result.sort((a, b) => byCodeUnits(a.name, b.name))
}

function mergedIds(one: Ids, two: Ids): Ids {
  if (one === null || two === null) return null
  if (two.every((id) => one.includes(id))) return one
  return idsOf([...one, ...two])
}

/** Returns the distinct ids, sorted so that more responses do not reorder them. */
export function idsOf(ids: readonly string[]): Ids {
  const distinct = [...new Set(ids)].sort(byCodeUnits)
  return distinct.length > MAX_IDS || distinct.some((id) => id.length > MAX_ID_LENGTH) ? null : distinct
}

function grid(kind: GridKind, value: Record<string, unknown>): Variant {
  const rows = Object.keys(value)
    .sort(byCodeUnits)
    .map((name) => ({ name, required: true }))
  return { kind, rows, columns: idsOf(Object.values(value).flat() as string[]) }
}

/** Orders as `sort()` does, independent of the locale. */
export const byCodeUnits = (one: string, two: string): number => (one < two ? -1 : one > two ? 1 : 0)

const isStrings = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')

const isFile = (value: unknown): boolean =>
  isObject(value) &&
  typeof value.id === 'string' &&
  typeof value.name === 'string' &&
  typeof value.size === 'number'
