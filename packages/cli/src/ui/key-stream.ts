import { EventEmitter } from 'node:events'

const ESCAPE = '\u001b'
export const PASTE_START = '\u001b[200~'
export const PASTE_END = '\u001b[201~'
export const CTRL_Z = '\u001a'

/** How long the rest of a sequence may take, as over a slow connection, before its first character is the Escape key. */
const REST_MS = 30
/** How long the rest of a reply of the terminal may take. */
const REPLY_REST_MS = 1_000
/** Longer replies are not waited for, in characters. */
const MAX_REPLY = 4_096

const pattern = (source: string): string => source.replaceAll('~', ESCAPE)
/** A sequence or a reply that is not complete yet. */
const INCOMPLETE = pattern('~{1,2}(?:\\[\\[?[0-?]*[ -/]*|O)?$|~[\\]P_^X]\\P{Cc}*~?$')
/**
 * In order: what is incomplete, a sequence, a reply (OSC, DCS, APC, PM or SOS, up to ST or BEL, or another control character), Alt and
 * a character, Escape, text.
 */
const TOKEN = new RegExp(
  [
    INCOMPLETE,
    pattern('~{1,2}(?:\\[\\[?[0-?]*[ -/]*[@-}\\x7e]|O[@-}\\x7e])'),
    pattern('~[\\]P_^X]\\P{Cc}*(?:~\\\\|\\x07)?'),
    pattern('~[^~]'),
    pattern('~'),
    pattern('[^~]+'),
  ].join('|'),
  'gsu',
)
const IS_INCOMPLETE = new RegExp(`^(?:${INCOMPLETE})`, 'u')
/** Arrows, Home, End, Insert, Delete, PgUp and PgDn, also with Ctrl, Shift or Alt, without their escape character. */
const KNOWN = /^(?:\[(?:1;\d+)?[A-DFH]|O[A-DFH]|\[[1-8](?:;\d+)?~)$/
const ESCAPES = new RegExp(`^${ESCAPE}+$`)
/** Escape as ink reads it at once, whatever follows. */
const ESCAPE_KEY = '\u001b[27u'
/** Control characters that are keys: Ctrl-C, Backspace, Enter, Delete. */
const CONTROLS: ReadonlySet<string> = new Set(['\u0003', '\b', '\r', '\u007f'])

/**
 * The keys of a terminal, for ink, which throws on a sequence that it does not know, takes an arrow key in two pieces for Escape, and
 * types the letters of control keys. Only what is known gets through, one key at a time. Keys that nothing reads wait until the next
 * ink does.
 */
export class KeyStream extends EventEmitter {
  readonly isTTY = true
  readonly #stdin: NodeJS.ReadStream
  readonly #passes: ReadonlySet<string>
  #rest = ''
  #restTimer: NodeJS.Timeout | undefined
  #isPasting = false
  #keys: string[] = []
  #key: string | null = null
  #turn: NodeJS.Immediate | undefined
  #isRead = false
  /** Whether the mark before a pasted text was read, and the one after it was not. */
  #isPasteRead = false

  /**
   * @param passes the further keys to pass on: {@link CTRL_Z}, and the marks around a pasted text, without which it is typed on one
   * line
   */
  constructor(stdin: NodeJS.ReadStream, passes: readonly string[]) {
    super()
    this.#stdin = stdin
    this.#passes = new Set(passes)
  }

  /** Takes the keys of the terminal. */
  open(): void {
    this.#stdin.setRawMode(true)
    this.#stdin.on('readable', this.#onReadable)
  }

  /** Leaves the keys to others. */
  close(): void {
    this.#stdin.setRawMode(false)
    this.#stdin.off('readable', this.#onReadable)
    clearTimeout(this.#restTimer)
    this.#rest = ''
    this.#isPasting = false
    this.#isPasteRead = false
    this.#keys = []
  }

  read(): string | null {
    const key = this.#key
    this.#key = null
    return key
  }

  /** Called by ink when it begins and ceases to read. The terminal stays in raw mode in between. */
  setRawMode(isRaw: boolean): void {
    this.#isRead = isRaw
    if (isRaw && this.#isPasteRead) this.#keys.unshift(PASTE_START)
    clearImmediate(this.#turn)
    // ink listens afterwards.
    this.#turn = isRaw ? setImmediate(this.#next) : undefined
  }

  setEncoding(encoding: BufferEncoding): void {
    this.#stdin.setEncoding(encoding)
  }

  ref(): void {
    this.#stdin.ref()
  }

  unref(): void {
    this.#stdin.unref()
  }

  readonly #onReadable = (): void => {
    for (let text = this.#stdin.read(); text !== null; text = this.#stdin.read()) this.#take(String(text))
  }

  #take(text: string): void {
    clearTimeout(this.#restTimer)
    let input = this.#rest + text
    this.#rest = ''
    // Marks are looked for first, since an Escape before one would become part of its sequence.
    for (;;) {
      const mark = this.#isPasting ? PASTE_END : PASTE_START
      const at = input.indexOf(mark)
      if (at < 0) break
      this.#split(input.slice(0, at))
      this.#flush()
      this.#isPasting = mark === PASTE_START
      if (this.#passes.has(mark)) this.#keys.push(mark)
      input = input.slice(at + mark.length)
    }
    this.#split(input)
    // The mark at the end of a pasted text may take as long as it likes.
    if (this.#rest !== '' && !this.#isPasting)
      this.#restTimer = setTimeout(this.#expire, /^.[\]P_^X]./su.test(this.#rest) ? REPLY_REST_MS : REST_MS)
    this.#hand()
  }

  #split(input: string): void {
    const tokens = input.match(TOKEN) ?? []
    tokens.forEach((token, at) => {
      // Only the last one can be incomplete.
      if (at === tokens.length - 1 && IS_INCOMPLETE.test(token))
        this.#rest = token.length > MAX_REPLY ? '' : token
      else if (!token.startsWith(ESCAPE)) this.#type(token)
      else if (!this.#isPasting) this.#press(token)
    })
  }

  readonly #expire = (): void => {
    this.#flush()
    this.#hand()
  }

  /** Nothing follows: these are Escape keys, or else Alt and the first character of a sequence, or part of a reply. */
  #flush(): void {
    if (!this.#isPasting && ESCAPES.test(this.#rest)) for (const token of this.#rest) this.#press(token)
    this.#rest = ''
  }

  #press(token: string): void {
    if (token === ESCAPE) this.#keys.push(ESCAPE_KEY)
    else if (KNOWN.test(token.replaceAll(ESCAPE, ''))) this.#keys.push(token)
  }

  #type(text: string): void {
    if (this.#isPasting) {
      this.#keys.push(this.#passes.has(PASTE_START) ? text : text.replace(/\p{Cc}+/gu, ' '))
      return
    }
    for (const character of text.replaceAll('\n', '\r'))
      if (!/\p{Cc}/u.test(character) || CONTROLS.has(character) || this.#passes.has(character))
        this.#keys.push(character)
  }

  /** Hands the keys to ink, one a turn: what a key changes is there when the next one is read. */
  #hand(): void {
    if (this.#turn || !this.#isRead) return
    this.#key = this.#keys.shift() ?? null
    if (this.#key === null) return
    if (this.#key === PASTE_START || this.#key === PASTE_END) this.#isPasteRead = this.#key === PASTE_START
    this.#turn = setImmediate(this.#next)
    this.emit('readable')
  }

  readonly #next = (): void => {
    this.#turn = undefined
    this.#hand()
  }
}
