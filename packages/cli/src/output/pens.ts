/** Names of the pens that output is painted with. */
export type Pen = 'bold' | 'dim' | 'green' | 'yellow' | 'red' | 'cyan'

/** The pens of one stream. */
export type Pens = Readonly<Record<Pen, (text: string) => string>>

const plain = (text: string): string => text

/** Pens that leave text as it is: those of pipes. */
export const PLAIN_PENS: Pens = {
  bold: plain,
  dim: plain,
  green: plain,
  yellow: plain,
  red: plain,
  cyan: plain,
}

/** The pens of a colour level. chalk is loaded only where there is something to paint. */
export async function loadPens(level: 0 | 1): Promise<Pens> {
  if (level === 0) return PLAIN_PENS
  const { Chalk } = await import('chalk')
  return new Chalk({ level })
}
