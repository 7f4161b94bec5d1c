/** Maximum length of a value that an error quotes, in UTF-16 units. */
const MAX_LENGTH = 60

/** Returns a value as JSON for an error message, shortened to a line. */
export function quote(value: unknown): string {
  const json = JSON.stringify(value) ?? String(value)
  return json.length > MAX_LENGTH ? `${json.slice(0, MAX_LENGTH)}…` : json
}
