import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const jest = createRequire(import.meta.url).resolve('jest/bin/jest')

it('runs under jest', async () => {
  // Same as `pnpm test` in this folder.
  const { stderr } = await promisify(execFile)(
    process.execPath,
    ['--experimental-vm-modules', jest, '--ci'],
    {
      cwd: fileURLToPath(new URL('..', import.meta.url)),
      env: { ...process.env, FORMWIRE_UNSPECIFIED: 'default' },
    },
  )
  expect(stderr).toMatch(/Tests: +4 passed, 4 total/)
})
