import { isObject, isObjectOrArray, parseJson } from '@formwire/internal/json'
import { personColumns, type ResponseIds } from '@formwire/sync'
import type { Found } from './place.ts'

/** What of a file belongs to a person. */
export interface FileContent {
  found: Found[]
  /** The content without it. Undefined if nothing is left, or nothing was found. */
  rest: string | undefined
  /** Whether the rest still has the email address, such as in the text of another response. */
  mentions: boolean
}

/** The columns of a record that was found by the ids of its response alone. */
export const BY_ID: readonly string[] = ['id']

/** A person: an email address, and the ids of responses that other places have found. */
class Person {
  readonly #email: string
  readonly #ids: ReadonlySet<string>
  readonly found: Found[] = []

  constructor(email: string, responses: readonly ResponseIds[]) {
    this.#email = email
    this.#ids = new Set(responses.map(({ formId, id }) => `${formId}/${id}`))
  }

  /** Notes a record of the person, and returns whether it is one. */
  has(record: { email?: unknown; answers?: unknown }, form_id: string | null, id: number | null): boolean {
    const byEmail = personColumns(this.#email, record)
    const columns = byEmail.length === 0 && this.#ids.has(`${form_id}/${id}`) ? BY_ID : byEmail
    if (columns.length > 0) this.found.push({ form_id, id, columns })
    return columns.length > 0
  }
}

/**
 * Searches the content of a file that a command has written: a recording, a seed, a list or export as JSON, NDJSON or CSV, a state of the
 * reference server. Any other text is searched for the email address.
 *
 * @param responses whose records are found although they may lack the email address
 */
export function searchContent(
  text: string,
  email: string,
  responses: readonly ResponseIds[] = [],
): FileContent {
  const person = new Person(email, responses)
  const { found } = person
  const rest = withoutPerson(text, person)
  const kept = found.length === 0 ? text : (rest ?? '')
  return { found, rest, mentions: kept.normalize('NFC').toLowerCase().includes(email.trim().toLowerCase()) }
}

function withoutPerson(text: string, person: Person): string | undefined {
  const value = parseJson(text)
  if (isObjectOrArray(value)) {
    const rest = strip(value, person)
    if (rest === REMOVED || person.found.length === 0) return undefined
    const isIndented = /^\s*[[{]\s*\n\s/.test(text)
    return `${JSON.stringify(rest, null, isIndented ? 2 : undefined)}\n`
  }
  const lines = text.split('\n')
  const values = lines.map((line) => (line.trim() === '' ? undefined : parseJson(line)))
  if (
    values.some(isObjectOrArray) &&
    values.every((one, at) => isObjectOrArray(one) || lines[at]?.trim() === '')
  )
    return withoutLines(lines, values, person)
  return withoutRecords(text, person)
}

function withoutLines(
  lines: readonly string[],
  values: readonly unknown[],
  person: Person,
): string | undefined {
  const rest = lines.flatMap((line, at) => {
    const before = person.found.length
    const left = strip(values[at], person)
    if (person.found.length === before) return [line]
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
function strip(value: unknown, person: Person, formId: string | null = null): unknown {
  if (Array.isArray(value))
    return value.map((item) => strip(item, person, formId)).filter((item) => item !== REMOVED)
  if (!isObject(value)) return value
  const ofForm = textOf(value.form_id) ?? textOf(value.formId) ?? formId
  if (Array.isArray(value.answers) && person.has(value, ofForm, numberOf(value.id))) return REMOVED
  const form = isObject(value.form) ? textOf(value.form.id) : undefined
  const own =
    form ?? textOf(value.formId) ?? (Array.isArray(value.responses) ? textOf(value.id) : undefined) ?? formId
  const { found } = person
  const members: [string, unknown][] = []
  const start = found.length
  for (const [name, member] of Object.entries(value)) {
    const before = found.length
    const left =
      name === 'body' || name === 'body_base64'
        ? stripText(name, member, person, own)
        : strip(member, person, own)
    if (left === REMOVED) {
      for (const one of found.slice(before)) one.id ??= numberOf(value.id)
      if (CONTENT.has(name)) return removedOnce(found, start)
    } else members.push([name, left])
  }
  // A state of the reference server has the answers in a member.
  const isRecord = found.length === start && (isObject(value.content) || isObject(value.draft))
  if (isRecord && person.has({}, ofForm, numberOf(value.id))) return REMOVED
  return Object.fromEntries(members)
}

/** A record may have the same response twice, such as a draft with its content: it is one. */
function removedOnce(found: Found[], start: number): typeof REMOVED {
  const own = found.splice(start)
  found.push(...new Map(own.map((one) => [one.id, one])).values())
  return REMOVED
}

/** The body of a delivery is text. A body is one response, of which nothing is kept. */
function stripText(name: string, text: unknown, person: Person, formId: string | null): unknown {
  if (typeof text !== 'string') return strip(text, person, formId)
  const value = parseJson(name === 'body' ? text : Buffer.from(text, 'base64').toString())
  const before = person.found.length
  strip(value, person, formId)
  return person.found.length === before ? text : REMOVED
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null)

/** A record of CSV with its line break. */
const RECORD = /(?:"(?:[^"]|"")*"|[^"\n])*(?:\n|$)/g
const CELL = /(?:^|,)(?:"((?:[^"]|"")*)"|([^",\n]*))/g

/** Removes the records of an export as CSV that have the email address in a cell. */
function withoutRecords(text: string, person: Person): string | undefined {
  const records = text.match(RECORD)?.filter((record) => record !== '') ?? []
  const [header = ''] = records
  const names = cellsOf(header)
  if (!names.includes('id')) return undefined
  const rest = records.filter((record, at) => {
    if (at === 0) return true
    const cells = cellsOf(record)
    const answers = cells.map((value, index) => ({ question_id: names[index], value }))
    const id = Number(cells[names.indexOf('id')])
    return !person.has({ answers }, cells[names.indexOf('form_id')] ?? null, Number.isInteger(id) ? id : null)
  })
  return rest.join('')
}

/** Returns the cells of a record, without the apostrophe before a text that a spreadsheet would run. */
function cellsOf(record: string): string[] {
  return [...record.replace(/\r?\n$/, '').matchAll(CELL)].map(([, quoted, plain]) =>
    (quoted?.replaceAll('""', '"') ?? plain ?? '').replace(/^'(?=[=+\-@])/, ''),
  )
}
