/** A text style. */
export type Pen = 'bold' | 'dim' | 'green' | 'yellow' | 'red' | 'cyan' | 'inverse'

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
  inverse: plain,
}

/** Returns the pens of a colour level. Loads chalk only if there is colour. */
export async function loadPens(level: 0 | 1): Promise<Pens> {
  if (level === 0) return PLAIN_PENS
  const { Chalk } = await import('chalk')
  return new Chalk({ level })
}
