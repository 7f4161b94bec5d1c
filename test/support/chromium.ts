/** Path of Chromium, which `.ci/run` installs. */
export const CHROMIUM = process.env.FORMWIRE_CHROMIUM ?? '/usr/bin/chromium'

/** Flags for a browser without a sandbox, for root in a container, that opens no connection of its own. */
export const CHROMIUM_FLAGS: readonly string[] = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
