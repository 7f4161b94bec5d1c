import { isObject, isObjectOrArray, parseJson } from '@formwire/internal/json'
import { personColumns } from '@formwire/sync'
import type { Found } from './place.ts'

/** What of a file belongs to a person. */
export interface FileContent {
  found: Found[]
  /** The content without it. Undefined if nothing is left, or nothing was found. */
  rest: string | undefined
  /** Whether the rest still has the email address, such as in the text of another response. */
  mentions: boolean
}

/**
 * Searches the content of a file that a command has written: a recording, a seed, a list or export as JSON, NDJSON or CSV, a state of the
 * reference server. Any other text is searched for the email address.
 */
export function searchContent(text: string, email: string): FileContent {
  const found: Found[] = []
  const rest = withoutPerson(text, email, found)
  const kept = found.length === 0 ? text : (rest ?? '')
  return { found, rest, mentions: kept.normalize('NFC').toLowerCase().includes(email.trim().toLowerCase()) }
}

function withoutPerson(text: string, email: string, found: Found[]): string | undefined {
  const value = parseJson(text)
  if (isObjectOrArray(value)) {
    const rest = strip(value, email, found)
    if (rest === REMOVED || found.length === 0) return undefined
    const isIndented = /^\s*[[{]\s*\n\s/.test(text)
    return `${JSON.stringify(rest, null, isIndented ? 2 : undefined)}\n`
  }
  const lines = text.split('\n')
  const values = lines.map((line) => (line.trim() === '' ? undefined : parseJson(line)))
  if (
    values.some(isObjectOrArray) &&
    values.every((one, at) => isObjectOrArray(one) || lines[at]?.trim() === '')
  )
    return withoutLines(lines, values, email, found)
  return withoutRecords(text, email, found)
}

function withoutLines(
  lines: readonly string[],
  values: readonly unknown[],
  email: string,
  found: Found[],
): string | undefined {
  const rest = lines.flatMap((line, at) => {
    const before = found.length
    const left = strip(values[at], email, found)
    if (found.length === before) return [line]
    return left === REMOVED ? [] : [JSON.stringify(left)]
  })
  return rest.some((line) => line.trim() !== '') ? rest.join('\n') : undefined
}

/** What is left of a record of one response of the person. */
const REMOVED: unique symbol = Symbol('removed')

/** Members whose removal leaves nothing of use of the object that has them: an event, an envelope, a recorded delivery. */
const CONTENT: ReadonlySet<string> = new Set([
  'response',
  'payload',
  'data',
  'body',
  'body_base64',
  'content',
])

/** Returns a value without the responses of the person. */
function strip(value: unknown, email: string, found: Found[], formId: string | null = null): unknown {
  if (Array.isArray(value))
    return value.map((item) => strip(item, email, found, formId)).filter((item) => item !== REMOVED)
  if (!isObject(value)) return value
  const columns = Array.isArray(value.answers) ? personColumns(email, value) : []
  if (columns.length > 0) {
    found.push({ form_id: textOf(value.form_id) ?? formId, id: numberOf(value.id), columns })
    return REMOVED
  }
  const form = isObject(value.form) ? textOf(value.form.id) : undefined
  const own =
    form ?? textOf(value.formId) ?? (Array.isArray(value.responses) ? textOf(value.id) : undefined) ?? formId
  const members: [string, unknown][] = []
  const start = found.length
  for (const [name, member] of Object.entries(value)) {
    const before = found.length
    const left =
      name === 'body' || name === 'body_base64'
        ? stripText(name, member, email, found, own)
        : strip(member, email, found, own)
    if (left === REMOVED) {
      for (const one of found.slice(before)) one.id ??= numberOf(value.id)
      if (CONTENT.has(name)) return removedOnce(found, start)
    } else members.push([name, left])
  }
  return Object.fromEntries(members)
}

/** A record may have the same response twice, such as a draft with its content: it is one. */
function removedOnce(found: Found[], start: number): typeof REMOVED {
  const own = found.splice(start)
  found.push(...new Map(own.map((one) => [one.id, one])).values())
  return REMOVED
}

/** The body of a delivery is text. A body is one response, of which nothing is kept. */
function stripText(
  name: string,
  text: unknown,
  email: string,
  found: Found[],
  formId: string | null,
): unknown {
  if (typeof text !== 'string') return strip(text, email, found, formId)
  const value = parseJson(name === 'body' ? text : Buffer.from(text, 'base64').toString())
  const before = found.length
  strip(value, email, found, formId)
  return found.length === before ? text : REMOVED
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null)

/** A record of CSV with its line break. */
const RECORD = /(?:"(?:[^"]|"")*"|[^"\n])*(?:\n|$)/g
const CELL = /(?:^|,)(?:"((?:[^"]|"")*)"|([^",\n]*))/g

/** Removes the records of an export as CSV that have the email address in a cell. */
function withoutRecords(text: string, email: string, found: Found[]): string | undefined {
  const records = text.match(RECORD)?.filter((record) => record !== '') ?? []
  const [header = ''] = records
  const names = cellsOf(header)
  if (!names.includes('id')) return undefined
  const rest = records.filter((record, at) => {
    if (at === 0) return true
    const cells = cellsOf(record)
    const answers = cells.map((value, index) => ({ question_id: names[index], value }))
    const columns = personColumns(email, { answers })
    if (columns.length === 0) return true
    const id = Number(cells[names.indexOf('id')])
    found.push({
      form_id: cells[names.indexOf('form_id')] ?? null,
      id: Number.isInteger(id) ? id : null,
      columns,
    })
    return false
  })
  return rest.join('')
}

/** Returns the cells of a record, without the apostrophe before a text that a spreadsheet would run. */
function cellsOf(record: string): string[] {
  return [...record.replace(/\r?\n$/, '').matchAll(CELL)].map(([, quoted, plain]) =>
    (quoted?.replaceAll('""', '"') ?? plain ?? '').replace(/^'(?=[=+\-@])/, ''),
  )
}
