import { isObjectOrArray } from '@formwire/internal/json'

const REDACTED = '[redacted]'

/**
 * Returns a function that removes the key from data of other parties, such as service messages and transport errors. A proxy or a
 * fetch wrapper may have put it there (AUTH-02).
 */
export function keyRedactor(key: string): <Value>(value: Value) => Value {
  return <Value>(value: Value): Value => {
    if (typeof value === 'string') return value.replaceAll(key, REDACTED) as Value
    if (isObjectOrArray(value)) {
      const text = JSON.stringify(value)
      if (text?.includes(key)) return JSON.parse(text.replaceAll(key, REDACTED)) as Value
    }
    return value
  }
}

/** Returns the cause unchanged, or a plain error with its redacted message if the key occurs anywhere in it. */
export function safeCause(cause: unknown, key: string): unknown {
  if (!quotes(cause, key, new Set())) return cause
  return new Error(keyRedactor(key)(`${(cause as { message?: unknown }).message}`))
}

/** Searches what `util.inspect` and error reporters show: own properties, entries of maps and headers, `headers` of requests. */
function quotes(value: unknown, key: string, seen: Set<unknown>): boolean {
  if (typeof value === 'string') return value.includes(key)
  // Bytes are displayed as numbers.
  if (!isObjectOrArray(value) || seen.has(value) || ArrayBuffer.isView(value)) return false
  // Too large to search: assume that it contains the key.
  if (seen.add(value).size > 2000) return true
  try {
    // `forEach` excludes generators, which reading would consume.
    const entries = 'forEach' in value ? [...(value as unknown as Iterable<unknown>)] : []
    return [...Reflect.ownKeys(value), 'headers']
      .map((name): unknown => value[name as keyof typeof value])
      .concat(entries)
      .some((one) => quotes(one, key, seen))
  } catch {
    return true
  }
}
