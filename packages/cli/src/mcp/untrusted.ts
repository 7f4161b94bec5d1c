import { visibleText } from '@formwire/internal/invisible'
import { isObject } from '@formwire/internal/json'

/** Characters of one text of a respondent. */
const TEXT_MAX_CHARACTERS = 500

/** Members of an answer that the service wrote. */
const OF_THE_SERVICE = new Set(['question_id', 'type', 'id', 'ids'])

/** Returns a text that a stranger wrote, cut, without a character that hides or disguises it, and marked so that it is not taken for an instruction. */
export const untrusted = (text: string, max = TEXT_MAX_CHARACTERS): { untrusted: string } => ({
  untrusted: visibleText(text, max),
})

/** One word of visible ASCII, such as an id, a time or a URL. */
const WORD = /^[\x21-\x7e]{1,500}$/

/** Returns a value that the service wrote and that has no words to read: as it is, or marked if it is something else. */
export function wordOf(value: unknown): unknown {
  if (typeof value === 'string' && WORD.test(value)) return value
  return isPlain(value) ? value : markedText(value)
}

/** Returns the members with these names as {@link wordOf}. */
export const wordsOf = <Name extends string>(
  item: Readonly<Partial<Record<Name, unknown>>>,
  ...names: readonly Name[]
) => Object.fromEntries(names.map((name) => [name, wordOf(item[name])])) as Record<Name, unknown>

/** An id that a service would use. */
const ID = /^[\w.:-]{1,100}$/

/** Returns the id of an option, row or column; `show` returns what is shown of anything else, which a respondent may have written. */
export const idOf = (id: unknown, show: (value: unknown) => unknown): unknown =>
  typeof id === 'string' && ID.test(id) ? id : show(id)

export const digitsOf = (value: number): number => String(Math.abs(value)).replace(/\D/g, '').length

/** Returns the shape of a text: 42 characters are `{"text": 42}`. Of other values as little is said. */
export function shapeOfText(value: unknown): unknown {
  if (typeof value === 'string') return { text: value.length }
  if (typeof value === 'number') return { digits: digitsOf(value) }
  if (Array.isArray(value)) return { items: value.length }
  return isObject(value) ? { members: Object.keys(value).length } : value
}

/** Returns any value as a marked text: one that has members, as JSON, since their names may be of a stranger too. */
export const markedText = (value: unknown): { untrusted: string } =>
  untrusted(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

/** Whether a value has no text. */
export const isPlain = (value: unknown): value is number | boolean | null | undefined =>
  value === null || ['number', 'boolean', 'undefined'].includes(typeof value)

/** Texts that a respondent or a receiver wrote. */
const OF_STRANGERS = new Set(['raw_body', 'email', 'receiver_answer'])

/** Returns a copy of a list or an object with what `map` returns for its items or members. Other values as they are. */
export function mapMembers(
  value: unknown,
  map: (member: unknown, name?: string) => unknown,
  rename: (name: string) => string = (name) => name,
): unknown {
  if (Array.isArray(value)) return value.map((item) => map(item))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [rename(name), map(member, name)]))
}

/** Returns the value with every text marked that a respondent or a receiver wrote: in answers, `meta`, `email`, bodies and receivers' responses. */
export const markStrangers = (value: unknown): unknown =>
  mapMembers(value, (member, name = '') => {
    if (name === 'answers' || name === 'meta') return marked(member)
    return typeof member === 'string' && OF_STRANGERS.has(name) ? untrusted(member) : markStrangers(member)
  })

const marked = (value: unknown): unknown =>
  typeof value === 'string'
    ? untrusted(value)
    : mapMembers(value, (member, name = '') => (OF_THE_SERVICE.has(name) ? member : marked(member)))
