import { UsageError } from '../errors/usage-error.ts'

/**
 * Header names in lower case, so that a later one replaces an earlier one; `authorization` is dropped.
 *
 * @throws UsageError for what HTTP cannot carry: a transport would fail at every attempt as if the network were down.
 */
export function checkedHeaders(headers: Record<string, string> = {}): Record<string, string> {
  const checked: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[!#-'*+.^`|~\w-]+$/.test(name) || /[^\t -~\x80-\xff]/.test(value)) {
      throw new UsageError(`The header ${JSON.stringify(name)} holds characters that HTTP cannot carry.`)
    }
    if (name.toLowerCase() !== 'authorization') checked[name.toLowerCase()] = value
  }
  return checked
}
