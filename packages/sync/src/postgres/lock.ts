/** First key of our advisory locks. */
export const LOCK_CLASS = 0x66_77_73

/** Second key of an advisory lock: FNV-1a. Two locks with one key only wait for each other. */
export function lockKey(text: string): number {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1)
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  return value | 0
}
