import { type Tone, toneOf } from '@formwire/internal/status-tone'
import { fill } from './width.ts'

export type Pen = 'bold' | 'dim' | 'green' | 'yellow' | 'red' | 'cyan'

/** The text styles of one stream, as functions. */
export type Pens = Readonly<Record<Pen, (text: string) => string>>

const plain = (text: string): string => text

/** Pens that return text unchanged, for pipes. */
export const PLAIN_PENS: Pens = {
  bold: plain,
  dim: plain,
  green: plain,
  yellow: plain,
  red: plain,
  cyan: plain,
}

/** Returns the pens of a colour level. Loads chalk only if there is colour. */
export async function loadPens(level: 0 | 1): Promise<Pens> {
  if (level === 0) return PLAIN_PENS
  const { Chalk } = await import('chalk')
  const chalk = new Chalk({ level })
  // Chalk's own functions join all their arguments, and `map` passes three.
  const pens = Object.keys(PLAIN_PENS).map((name) => [name, (text: string) => chalk[name as Pen](text)])
  return Object.fromEntries(pens) as Pens
}

export const TONE_PENS: Readonly<Record<Tone, Pen>> = {
  good: 'green',
  wait: 'yellow',
  bad: 'red',
  calm: 'dim',
}

/** The mark of each tone, which stands before a line on a terminal, so that the tone shows without colour, too. */
export const MARKS: Readonly<Record<Tone, string>> = { good: '✓', wait: '◦', bad: '✗', calm: '–' }

/** Returns the mark of a tone in its colour. */
export const markOf = (tone: Tone, pens: Pens): string => pens[TONE_PENS[tone]](MARKS[tone])

/** Returns text after a prefix of `indent` columns, wrapped at words to `columns`, with further lines below the first word. */
export function hanging(prefix: string, indent: number, text: string, columns: number): string[] {
  const [first = '', ...more] = wordLines(text, Math.max(MIN_TEXT, columns - indent))
  return [prefix + first, ...more.map((line) => ' '.repeat(indent) + line)]
}

const MIN_TEXT = 20

/** A command of this program in a sentence: its words, options and their values, and what has an id, a path or a placeholder. */
export const COMMAND_LINE =
  /\bformwire(?: [a-z]+(?![^\s,;:".])){1,2}(?: (?:--?\w[^\s,;:"]*(?: [^\s-][^\s,;:"]*)?|[A-Z<[][^\s,;:"a-z]*|[^\s,;:"]*[\d/=][^\s,;:"]*))*/g
const NO_BREAK_SPACE = '\u00a0'

/**
 * Wraps text at words. Whole are a longer word, such as a URL, a command of this program, and one to run at the end: they are there to
 * be copied.
 */
export function wordLines(given: string, columns: number): string[] {
  const text = given.replace(COMMAND_LINE, (command) => command.replaceAll(' ', NO_BREAK_SPACE))
  const [, prose = text, command] = /^(.*\brun:) (.*)$/.exec(text) ?? []
  const words = [...prose.split(' '), ...(command ? [command] : [])]
  return fill(words, columns, (word) => [word]).map((line) => line.replaceAll(NO_BREAK_SPACE, ' '))
}

/** Returns the pen of a status; undefined for one that a later version of the API added (ENV-04). */
export function statusPen(status: string): Pen | undefined {
  const tone = toneOf(status)
  return tone && TONE_PENS[tone]
}
