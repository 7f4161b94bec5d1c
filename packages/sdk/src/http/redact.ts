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
  const { name = 'Error', message = '' } = cause as { name?: unknown; message?: unknown }
  return new Error(keyRedactor(key)(`${name}: ${message}`))
}

/** Most objects looked at; a cause with more on it counts as quoting the key. */
const MAX_OBJECTS = 2000

/** Looks where `util.inspect` and reporters of errors look: own members of any kind, entries of maps and headers, `headers` of requests. */
function quotes(value: unknown, key: string, seen: Set<unknown>): boolean {
  if (typeof value === 'string') return value.includes(key)
  if (typeof value !== 'object' || value === null || seen.has(value)) return false
  if (ArrayBuffer.isView(value)) return new TextDecoder('latin1').decode(value).includes(key)
  if (seen.add(value).size > MAX_OBJECTS) return true
  try {
    const inner: unknown[] = [...Reflect.ownKeys(value), 'headers'].map((name) => Reflect.get(value, name))
    // Not a generator: reading it would use it up.
    if ('forEach' in value && Symbol.iterator in value) inner.push(...(value as Iterable<unknown>))
    return inner.some((one) => quotes(one, key, seen))
  } catch {
    return true
  }
}
