/** Markup that may be sent as it is: made by `html` alone, so nothing gets in without being escaped. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** What a template takes. `false`, `null` and `undefined` are nothing; a list is its parts in a row. */
export type HtmlPart = Html | string | number | boolean | null | undefined | readonly HtmlPart[]

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  // HTML cannot hold it.
  '\0': '\ufffd',
}

/** A text that is safe between tags and inside a quoted attribute. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"'\0]/g, (character) => ESCAPES[character] ?? '')

/** Markup from a template: every value is escaped unless it is `Html` itself. Attributes have to be quoted. */
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

/** An attribute without a value, such as `checked`: there or not. Carries its own leading space. */
export const flag = (name: 'checked' | 'selected' | 'multiple' | 'autofocus', on: boolean): Html =>
  new Html(on ? ` ${name}` : '')

/** Attributes with values, each with its leading space; `undefined` leaves one out. Names are the code's own. */
export function attributes(values: Readonly<Record<string, string | number | undefined>>): Html {
  const pairs = Object.entries(values).filter(([, value]) => value !== undefined)
  return new Html(pairs.map(([name, value]) => ` ${name}="${escapeHtml(String(value))}"`).join(''))
}
