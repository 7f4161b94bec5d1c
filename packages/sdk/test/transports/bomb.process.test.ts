import { expect, it } from 'vitest'
import { bundled } from '../../../../test/support/bundled.ts'
import { start } from '../../../../test/support/spawn.ts'

it('rejects a small body that decompresses to millions of values, with a heap of 200 MB', async () => {
  const program = await bundled(new URL('bomb.ts', import.meta.url))
  const { stdout, stderr } = await start(['--max-old-space-size=200', program], {}).finished
  expect(stderr).toBe('')
  const each = (name: string): string[] => [name, name, name]
  expect(JSON.parse(stdout)).toEqual({
    'deep, 20 MB, 200': each('DecodeError'),
    'deep, 60 MB, 200': each('ResponseTooLargeError'),
    'many, 30 MB, 200': each('ResponseTooLargeError'),
    'deep, 1 MB, 200': each('DecodeError'),
    'deep, 20 MB, 409': each('ApiError http_409'),
    'many, 30 MB, 409': each('ApiError http_409'),
    'deep, 1 MB, 409': each('ApiError http_409'),
  })
})
