/** Columns that every view begins with. */
export const FIXED_COLUMNS = ['id', 'submitted_at']

/** What the name of the view of all answers adds to that of the form's view. */
const ANSWERS_SUFFIX = '_answers'

/** Returns a name for the column of a question, and adds it to the used ones, which are in lower case. */
export function columnName(questionId: string, used: Set<string>, maxBytes: number): string {
  const name = freeName(questionId === '' ? 'question' : questionId, used, maxBytes)
  used.add(name.toLowerCase())
  return name
}

/** Returns a name for the view of a form that differs from the used ones, which are in lower case. */
export function viewName(formId: string, used: ReadonlySet<string>, maxBytes: number): string {
  return freeName(`formwire_form_${formId.toLowerCase()}`, used, maxBytes - ANSWERS_SUFFIX.length)
}

/** Returns the name of the view of all answers of a form. */
export const answersViewName = (viewName: string): string => `${viewName}${ANSWERS_SUFFIX}`

/** Appends `_2`, `_3` … to a name in use, and shortens it to fit. */
function freeName(wanted: string, taken: ReadonlySet<string>, maxBytes: number): string {
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? '' : `_${number}`
    const name = cut(wanted, maxBytes - suffix.length) + suffix
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
