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
const KEYS: ReadonlySet<string> = new Set(['\u0003', '\b', '\r', '\u001a', '\u007f'])

/**
 * Returns what ink knows of a text from the terminal, each control character on its own: it throws on other sequences, and types the
 * letters of control keys. A line feed is Enter, too.
 */
export function knownKeys(text: string, pastes: boolean): string[] {
  const known = text.replace(SEQUENCE, (sequence) => {
    const name = sequence.replaceAll(ESCAPE, '')
    return KNOWN.test(name) || (pastes && MARKS.has(name)) ? sequence : ''
  })
  return known
    .replaceAll('\n', '\r')
    .split(CONTROL)
    .filter((part) => part !== '' && (KEYS.has(part) || !CONTROL.test(part)))
}

/** The beginning of a sequence at the end of a text, whose rest may be on its way. */
const BEGUN = new RegExp(`${ESCAPE}[[O]?$`)
/** How long the rest is waited for: Escape is the same character. */
const REST_MS = 30

/**
 * Returns the input for ink, for a terminal that is in raw mode. Each part is read once what came before it has been drawn: keys act on
 * what is shown.
 *
 * @param pastes whether the marks around a pasted text pass
 */
export function keyStream(stdin: NodeJS.ReadStream, pastes: boolean): NodeJS.ReadStream {
  const parts: string[] = []
  let begun = ''
  let rest: NodeJS.Timeout | undefined
  let isDrawing = false
  const endSequence = (): void => {
    parts.push(...knownKeys(begun, pastes))
    begun = ''
    stdin.emit('readable')
  }
  const goOn = (): void => {
    isDrawing = false
    stdin.emit('readable')
  }
  return {
    isTTY: true,
    read() {
      if (isDrawing) return null
      if (parts.length === 0) {
        const text: unknown = stdin.read()
        if (text === null) return null
        const all = begun + String(text)
        begun = BEGUN.exec(all)?.[0] ?? ''
        parts.push(...knownKeys(all.slice(0, all.length - begun.length), pastes))
        clearTimeout(rest)
        if (begun !== '') rest = setTimeout(endSequence, REST_MS)
      }
      const part = parts.shift() ?? ''
      isDrawing = parts.length > 0
      if (isDrawing) setTimeout(goOn, 0)
      return part
    },
    setRawMode: () => undefined,
    addListener: stdin.addListener.bind(stdin),
    removeListener: stdin.removeListener.bind(stdin),
    setEncoding: stdin.setEncoding.bind(stdin),
    ref: stdin.ref.bind(stdin),
    unref: stdin.unref.bind(stdin),
  } as unknown as NodeJS.ReadStream
}
