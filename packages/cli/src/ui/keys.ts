/** A key press. */
export interface Key {
  /** The character; empty for a named key. */
  input: string
  name?: KeyName
}

/** Keys that are not characters. */
export type KeyName =
  | 'up'
  | 'down'
  | 'pageUp'
  | 'pageDown'
  | 'home'
  | 'end'
  | 'enter'
  | 'escape'
  | 'backspace'
  | 'interrupt'
  | 'suspend'
  | 'unknown'

/** Sequences after `ESC [` or `ESC O`. */
const SEQUENCES: Readonly<Record<string, KeyName>> = {
  A: 'up',
  B: 'down',
  H: 'home',
  F: 'end',
  '1~': 'home',
  '4~': 'end',
  '5~': 'pageUp',
  '6~': 'pageDown',
  '7~': 'home',
  '8~': 'end',
}

const CHARACTERS: Readonly<Record<string, KeyName>> = {
  '\r': 'enter',
  '\n': 'enter',
  '\u007f': 'backspace',
  '\b': 'backspace',
  '\u0003': 'interrupt',
  '\u001a': 'suspend',
}

const ESCAPE = '\u001b'
const SEQUENCE = new RegExp(`^${ESCAPE}(?:\\[([\\d;]*[@-~])|O([@-~]))`)
/** What may become a sequence with the next chunk. */
const INCOMPLETE = new RegExp(`^${ESCAPE}(?:\\[[\\d;]*|O)?$`)

/**
 * Splits terminal input into keys. `rest` is the start of a sequence whose end has not arrived; a lone Escape is one until
 * `flush`.
 */
export function parseKeys(text: string, flush = false): { keys: Key[]; rest: string } {
  const keys: Key[] = []
  let rest = text
  while (rest !== '') {
    if (!flush && INCOMPLETE.test(rest)) return { keys, rest }
    const [sequence, csi, ss3] = SEQUENCE.exec(rest) ?? []
    if (sequence !== undefined) {
      keys.push({ input: '', name: SEQUENCES[csi ?? ss3 ?? ''] ?? 'unknown' })
      rest = rest.slice(sequence.length)
      continue
    }
    const character = String.fromCodePoint(rest.codePointAt(0) ?? 0)
    rest = rest.slice(character.length)
    const name = character === ESCAPE ? 'escape' : CHARACTERS[character]
    if (name) keys.push({ input: '', name })
    // Other control characters have no meaning here.
    else if (character >= ' ') keys.push({ input: character })
  }
  return { keys, rest: '' }
}
