import { describe, expect, it } from 'vitest'
import { resolveAll, systemResolveHost } from '../../src/delivery/resolve-host.ts'

describe('the addresses of a host', () => {
  it.each([[[]], [undefined], [null], ['127.0.0.1'], [[{ address: '127.0.0.1' }]], [['127.0.0.1', 7]]])(
    '[HOOK-04] fail when a custom resolver returns %j',
    async (answer) => {
      await expect(resolveAll(async () => answer as string[], 'hooks.example')).rejects.toMatchObject({
        failure: 'dns',
        message: 'hooks.example does not resolve.',
      })
    },
  )

  it('[HOOK-04] are those of the operating system by default', async () => {
    const addresses = await systemResolveHost('localhost')
    expect(addresses.length).toBeGreaterThan(0)
    expect(['127.0.0.1', '::1']).toEqual(expect.arrayContaining([...addresses]))
    await expect(systemResolveHost('nowhere.invalid')).rejects.toThrow('ENOTFOUND')
  })
})
