import { hasProgram } from '../../../test/support/programs.ts'

/** CI installs openssl. Without it, tests that recompute signatures in a shell are skipped. */
export const hasOpenssl = hasProgram('openssl')

if (!hasOpenssl)
  console.warn('No openssl on the PATH: the tests that run the console’s openssl lines are skipped.')
