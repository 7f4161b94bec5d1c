import { Chalk, type ChalkInstance } from 'chalk'

/** The variables that decide about colour. */
type Env = Readonly<Record<string, string | undefined>>

/**
 * Colour level of one stream: 0 none, 1 sixteen colours. `--no-color` wins, then FORCE_COLOR, then NO_COLOR; without
 * them a terminal gets colour unless it is TERM=dumb.
 */
export function colourLevel(env: Env, isTerminal: boolean, noColourFlag: boolean): 0 | 1 {
  if (noColourFlag) return 0
  const forced = env.FORCE_COLOR
  if (forced !== undefined) return forced === '0' || forced === 'false' ? 0 : 1
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return 0
  return isTerminal && env.TERM !== 'dumb' ? 1 : 0
}

/** The pens that output is painted with. */
export function pens(level: 0 | 1): Pens {
  return new Chalk({ level })
}

/** Pens of one stream; with level 0 they leave text as it is. */
export type Pens = ChalkInstance

/** Names of the pens that cells use. */
export type Pen = 'bold' | 'dim' | 'green' | 'yellow' | 'red' | 'cyan'

const STATUS_PENS: Readonly<Record<string, Pen>> = {
  published: 'green',
  submitted: 'green',
  delivered: 'green',
  active: 'green',
  verified: 'green',
  draft: 'yellow',
  in_progress: 'yellow',
  pending: 'yellow',
  paused: 'yellow',
  closed: 'red',
  failed: 'red',
  archived: 'dim',
}

/** Pen of a status word; one that a later version added stays plain (ENV-04). */
export function statusPen(status: string): Pen | undefined {
  return STATUS_PENS[status]
}
