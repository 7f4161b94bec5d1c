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
  let level = cause as { cause?: unknown; stack?: unknown } | undefined
  for (let depth = 0; depth < 8 && level; depth += 1) {
    if (`${level} ${level.stack} ${own(level)}`.includes(key)) return new Error(keyRedactor(key)(`${cause}`))
    level = level.cause as typeof level
  }
  return cause
}

function own(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    // A cycle: name, message and stack still count.
    return undefined
  }
}
