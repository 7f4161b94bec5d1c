/** Returns the heading of the errors above a form, by the number of answers with an error. */
export function summaryTitle(count: number): string {
  if (count === 0) return 'Please submit again'
  return `Please check ${count === 1 ? 'one answer' : `${count} answers`}`
}
