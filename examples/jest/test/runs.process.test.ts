import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { WAIT_MS } from '../../../test/support/patience.ts'

const jest = createRequire(import.meta.url).resolve('jest/bin/jest')

it('runs under jest', async () => {
  // Same as `pnpm test` in this folder, with more time for a busy machine.
  const { stderr } = await promisify(execFile)(
    process.execPath,
    ['--experimental-vm-modules', jest, '--ci', `--testTimeout=${WAIT_MS}`],
    {
      cwd: fileURLToPath(new URL('..', import.meta.url)),
      env: { ...process.env, FORMWIRE_UNSPECIFIED: 'default' },
    },
  )
  expect(stderr).toMatch(/Tests: +4 passed, 4 total/)
})
