import { replaceEvery } from '../form-fields.ts'

/** Safe markup. Created by `html`, which escapes all text. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** A value in a template. `false`, `null` and `undefined` render nothing; a list renders its parts in order. */
export type HtmlPart = Html | string | number | boolean | null | undefined | readonly HtmlPart[]

/** Applied in this order, so that the `&` of an entity is not escaped again. */
const ESCAPES = [
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
  // HTML cannot contain it.
  ['\0', '\ufffd'],
] as const

/** Escapes text for use between tags and inside quoted attributes. */
export function escapeHtml(text: string): string {
  let escaped = text
  for (const [character, entity] of ESCAPES) escaped = replaceEvery(escaped, character, entity)
  return escaped
}

/** Template tag for markup. Escapes every value that is not `Html`. Attribute values must be quoted. */
export function html(strings: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  let text = strings[0] ?? ''
  parts.forEach((part, index) => {
    text += markup(part) + (strings[index + 1] ?? '')
  })
  return new Html(text)
}

function markup(part: HtmlPart): string {
  if (part instanceof Html) return part.text
  if (typeof part === 'string') return escapeHtml(part)
  if (typeof part === 'number') return String(part)
  if (Array.isArray(part)) return part.map(markup).join('')
  return ''
}

/** Returns a boolean attribute, such as ` checked`, with a leading space, or nothing. */
export const flag = (
  name: 'checked' | 'selected' | 'multiple' | 'autofocus' | 'disabled',
  on: boolean,
): Html => new Html(on ? ` ${name}` : '')

/** Attributes by name. Those that are `undefined` are left out. */
export type Attributes = Readonly<Record<string, string | number | undefined>>

/** Returns attributes, each with a leading space. Names are not escaped. */
export function attributes(values: Attributes): Html {
  const pairs = Object.entries(values).filter(([, value]) => value !== undefined)
  return new Html(pairs.map(([name, value]) => ` ${name}="${escapeHtml(String(value))}"`).join(''))
}
