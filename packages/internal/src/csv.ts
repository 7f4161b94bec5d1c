/** A spreadsheet may run text that starts like this. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/

/** A number or a phone number: a spreadsheet has nothing to calculate, unlike in `+49-30` and `+1/2`. */
const HARMLESS = /^[+-][\d .,()\u00a0]*$/

/**
 * A cell begins here for programs whose separator is `;` or a tab, which do not see the quotes in the middle of their cell, and so
 * end a record at each line break. A list of lines that begin with `- ` is no formula, nor is a number. The sign is looked for
 * before what precedes it, so that long white space is read once.
 */
const INNER_FORMULA =
  /(?![+-][\d .,()\u00a0]*(?:[;\t\r\n]|$))(?:(?=[=+\-@\uff1d\uff0b\uff0d\uff20])(?<=[;\t]["\s]*)|(?=[=@\uff1d\uff20]|[+\-\uff0b\uff0d]\S)(?<=[\r\n]["\s]*))/g

/**
 * Returns a line of CSV (RFC 4180), which is UTF-8 without a byte order mark: most programs would read that as text. Text that a
 * spreadsheet would run gets an apostrophe before it; numbers stay numbers.
 */
export function csvLine(cells: readonly (string | number | null | undefined)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(value: string | number | null | undefined): string {
  if (typeof value !== 'string') return value === null || value === undefined ? '' : String(value)
  const isRun = FORMULA.test(value) && !HARMLESS.test(value)
  const text = (isRun ? `'${value}` : value).replaceAll(INNER_FORMULA, "'")
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
