/** Columns that every view begins with. */
export const FIXED_COLUMNS = ['id', 'submitted_at']

/** Returns a name for the column of a question that differs from the used ones without regard to case. */
export function columnName(questionId: string, used: Iterable<string>, maxBytes: number): string {
  return freeName(questionId === '' ? 'question' : questionId, [...FIXED_COLUMNS, ...used], maxBytes)
}

/** Returns a name for the view of a form that differs from the used ones. */
export function viewName(formId: string, used: Iterable<string>, maxBytes: number): string {
  return freeName(`formwire_form_${formId.toLowerCase()}`, [...used], maxBytes)
}

/** Appends `_2`, `_3` … to a name in use, and shortens it to fit. */
function freeName(wanted: string, used: readonly string[], maxBytes: number): string {
  const taken = new Set(used.map((name) => name.toLowerCase()))
  const clean = wanted.replaceAll('\0', '\ufffd')
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? '' : `_${number}`
    const name = cut(clean, maxBytes - suffix.length) + suffix
    if (!taken.has(name.toLowerCase())) return name
  }
}

/** Shortens a text to a number of bytes of UTF-8, at a character. */
function cut(text: string, maxBytes: number): string {
  const encoder = new TextEncoder()
  if (encoder.encode(text).length <= maxBytes) return text
  let shortened = ''
  let bytes = 0
  for (const character of text) {
    bytes += encoder.encode(character).length
    if (bytes > maxBytes) break
    shortened += character
  }
  return shortened
}
