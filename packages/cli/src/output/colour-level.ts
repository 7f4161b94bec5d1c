/** The environment variables that control colour. */
type Env = Readonly<Record<string, string | undefined>>

/**
 * Returns the colour level of a stream: 0 = none, 1 = 16 colours. `--no-color` has precedence over FORCE_COLOR, which has
 * precedence over NO_COLOR. Without them, a terminal gets colour unless TERM=dumb.
 */
export function colourLevel(env: Env, isTerminal: boolean, noColourFlag: boolean): 0 | 1 {
  if (noColourFlag) return 0
  const forced = env.FORCE_COLOR
  if (forced !== undefined) return forced === '0' || forced === 'false' ? 0 : 1
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return 0
  return isTerminal && env.TERM !== 'dumb' ? 1 : 0
}
