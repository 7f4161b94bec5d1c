const ESCAPE = '\u001b'
/** The marks around a pasted text, as ink passes them on. */
export const PASTE_START = '[200~'
export const PASTE_END = '[201~'

/** Sequences of keys, and replies of the terminal: OSC, DCS, APC, PM or SOS, up to ST or BEL, or another control character. */
const SEQUENCE = new RegExp(
  `${ESCAPE}{1,2}(?:\\[\\[?[0-?]*[ -/]*[@-~]|O[@-~])|${ESCAPE}[\\]P_^X]\\P{Cc}*(?:${ESCAPE}\\\\|\\x07)?`,
  'gu',
)
/** Arrows, Home, End, Insert, Delete, PgUp and PgDn, also with Ctrl, Shift or Alt, without their escape character. */
const KNOWN = /^(?:\[(?:1;\d+)?[A-DFH]|O[A-DFH]|\[[1-8](?:;\d+)?~)$/
const MARKS: ReadonlySet<string> = new Set([PASTE_START, PASTE_END])
const CONTROL = new RegExp(`((?!${ESCAPE})\\p{Cc})`, 'u')
/** Control characters that are keys: Ctrl-C, Backspace, Enter, Ctrl-Z, Delete. */
const KEYS: ReadonlySet<string> = new Set(['\u0003', '\b', '\n', '\r', '\u001a', '\u007f'])

/**
 * Returns what ink knows of a text from the terminal, each control character on its own: it throws on other sequences, and types the
 * letters of control keys.
 */
export function knownKeys(text: string, pastes: boolean): string[] {
  const known = text.replace(SEQUENCE, (sequence) => {
    const name = sequence.replaceAll(ESCAPE, '')
    return KNOWN.test(name) || (pastes && MARKS.has(name)) ? sequence : ''
  })
  return known.split(CONTROL).filter((part) => part !== '' && (KEYS.has(part) || !CONTROL.test(part)))
}

/** Returns the input for ink, for a terminal that is in raw mode. @param pastes whether the marks around a pasted text pass */
export function keyStream(stdin: NodeJS.ReadStream, pastes: boolean): NodeJS.ReadStream {
  const parts: string[] = []
  return {
    isTTY: true,
    read() {
      const text: unknown = parts.length > 0 ? '' : stdin.read()
      if (text === null) return null
      parts.push(...knownKeys(String(text), pastes))
      return parts.shift() ?? ''
    },
    setRawMode: () => undefined,
    addListener: stdin.addListener.bind(stdin),
    removeListener: stdin.removeListener.bind(stdin),
    setEncoding: stdin.setEncoding.bind(stdin),
    ref: stdin.ref.bind(stdin),
    unref: stdin.unref.bind(stdin),
  } as unknown as NodeJS.ReadStream
}
