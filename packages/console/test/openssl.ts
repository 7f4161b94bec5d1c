import { spawnSync } from 'node:child_process'

/** CI installs openssl. Without it, tests that recompute signatures in a shell are skipped. */
export const hasOpenssl = spawnSync('openssl', ['version']).status === 0

if (!hasOpenssl)
  console.warn('No openssl on the PATH: the tests that run the console’s openssl lines are skipped.')
