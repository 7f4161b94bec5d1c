import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href

it('runs under node --test', async () => {
  // Same as `pnpm test` in this folder.
  const run = promisify(execFile)(
    process.execPath,
    [
      '--conditions=@formwire/source',
      '--import',
      tsx,
      '--test',
      '--test-reporter=tap',
      'test/forward-to-crm.spec.ts',
      'test/fake-timers.spec.ts',
    ],
    {
      cwd: fileURLToPath(new URL('..', import.meta.url)),
      env: { ...process.env, NODE_TEST_CONTEXT: undefined },
    },
  )
  // A failure shows which test failed.
  const { stdout } = await run.catch(({ stdout, stderr }) => ({ stdout: `${stdout}${stderr}` }))
  expect(stdout).toContain('# pass 4')
  expect(stdout).toContain('# fail 0')
})
