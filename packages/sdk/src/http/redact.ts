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

/** The cause as it is, or a plain error in its place when it, or what it was caused by, quotes the key. */
export function safeCause(cause: unknown, key: string): unknown {
  let text = ''
  let level = cause
  for (let depth = 0; depth < 8 && level !== undefined && level !== null; depth += 1) {
    text += describe(level)
    level = typeof level === 'object' ? (level as { cause?: unknown }).cause : undefined
  }
  if (!text.includes(key)) return cause
  return new Error(
    keyRedactor(key)(cause instanceof Error ? cause.message : 'a transport error that quoted the key'),
  )
}

function describe(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  let own = ''
  try {
    own = JSON.stringify(value) ?? ''
  } catch {
    // A cycle: message and stack below still count.
  }
  return value instanceof Error ? `${own} ${value.message} ${value.stack}` : own
}
