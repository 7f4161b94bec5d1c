import { expect, it } from 'vitest'
import { bundled } from '../../../../test/support/bundled.ts'
import { start } from '../../../../test/support/spawn.ts'

const KEY = 'svc_verySecretKey123'

it('[AUTH-02] the crash report of an uncaught error does not show the key', async () => {
  const { code, stderr } = await start([await bundled(new URL('crash.ts', import.meta.url)), KEY], {})
    .finished
  expect(code).toBe(1)
  expect(stderr).toContain('ConnectionError')
  expect(stderr).not.toContain(KEY)
})
