type Env = Readonly<Record<string, string | undefined>>

/**
 * Returns the colour level of a stream: 0 = none, 1 = 16 colours. The first of these decides: `--no-color`, FORCE_COLOR, NO_COLOR,
 * CLICOLOR_FORCE, CLICOLOR=0. Without them, a terminal gets colour unless TERM=dumb.
 */
export function colourLevel(env: Env, isTerminal: boolean, noColourFlag: boolean): 0 | 1 {
  if (noColourFlag) return 0
  const forced = env.FORCE_COLOR
  if (forced !== undefined) return forced === '0' || forced === 'false' ? 0 : 1
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return 0
  if (![undefined, '', '0'].includes(env.CLICOLOR_FORCE)) return 1
  if (env.CLICOLOR === '0') return 0
  return isTerminal && env.TERM !== 'dumb' ? 1 : 0
}
