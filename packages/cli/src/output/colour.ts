import type { Pen } from './pens.ts'

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
