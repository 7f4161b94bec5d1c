import { existsSync } from 'node:fs'

/** The headless shell takes less than half the processor time of Chromium, which opens a hidden window for each context. */
const PATHS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'] as const

/** Path of Chromium or its headless shell, which `.ci/run` installs. */
export const CHROMIUM = process.env.FORMWIRE_CHROMIUM ?? PATHS.find((path) => existsSync(path)) ?? PATHS[1]

/** Flags for a browser without a sandbox, for root in a container, that opens no connection of its own. */
export const CHROMIUM_FLAGS: readonly string[] = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A tenth less processor time: no spare renderers, and no process that only draws.
  '--renderer-process-limit=1',
  '--in-process-gpu',
]
