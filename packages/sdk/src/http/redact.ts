const REDACTED = '[redacted]'

/**
 * Takes the key out of what others wrote: messages of the service, errors of a transport. The SDK itself never puts it there;
 * a proxy or a fetch wrapper might (AUTH-02).
 */
export function keyRedactor(key: string): <Value>(value: Value) => Value {
  return <Value>(value: Value): Value => {
    if (typeof value === 'string') return value.replaceAll(key, REDACTED) as Value
    if (typeof value === 'object' && value !== null) {
      const text = JSON.stringify(value)
      if (text?.includes(key)) return JSON.parse(text.replaceAll(key, REDACTED)) as Value
    }
    return value
  }
}

/** The cause as it is, or a plain error in its place when it, or anything that hangs on it, quotes the key. */
export function safeCause(cause: unknown, key: string): unknown {
  if (!quotes(cause, key, new Set())) return cause
  return new Error(keyRedactor(key)(`${(cause as { message?: unknown }).message}`))
}

/** Looks where `util.inspect` and reporters of errors look: own members of any kind, entries of maps and headers, `headers` of requests. */
function quotes(value: unknown, key: string, seen: Set<unknown>): boolean {
  if (typeof value === 'string') return value.includes(key)
  // Bytes are shown as numbers.
  if (typeof value !== 'object' || !value || seen.has(value) || ArrayBuffer.isView(value)) return false
  // With so much on it nobody can tell in time: the safe answer.
  if (seen.add(value).size > 2000) return true
  try {
    // Not a generator: reading it would use it up.
    const entries = 'forEach' in value ? [...(value as unknown as Iterable<unknown>)] : []
    return [...Reflect.ownKeys(value), 'headers']
      .map((name): unknown => value[name as keyof typeof value])
      .concat(entries)
      .some((one) => quotes(one, key, seen))
  } catch {
    return true
  }
}
