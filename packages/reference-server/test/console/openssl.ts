import { spawnSync } from 'node:child_process'

/** CI installs it; a machine without it skips what recomputes signatures in a shell. */
export const hasOpenssl = spawnSync('openssl', ['version']).status === 0

if (!hasOpenssl)
  console.warn('No openssl on the PATH: the tests that run the console’s openssl lines are skipped.')
