import { describe, expect, it } from 'vitest'
import {
  HostNotResolvedError,
  resolveAll,
  systemResolveHost,
  withTimeout,
} from '../../src/delivery/resolve-host.ts'

describe('the addresses of a host', () => {
  it('[HOOK-04] are all that the resolver returns', async () => {
    const addresses = ['::1', '127.0.0.1']
    expect(await resolveAll(async () => addresses, 'hooks.example')).toEqual(['::1', '127.0.0.1'])
  })

  it('[HOOK-04] fail with the cause when the lookup fails', async () => {
    const cause = new Error('ENOTFOUND')
    const error = await resolveAll(() => Promise.reject(cause), 'hooks.example').catch((one) => one)
    expect(error).toBeInstanceOf(HostNotResolvedError)
    expect(error).toMatchObject({ message: 'hooks.example does not resolve.', host: 'hooks.example', cause })
  })

  it.each([[[]], [undefined], [null], ['127.0.0.1'], [[{ address: '127.0.0.1' }]], [['127.0.0.1', 7]]])(
    '[HOOK-04] fail when a custom resolver returns %j',
    async (answer) => {
      await expect(resolveAll(async () => answer as string[], 'hooks.example')).rejects.toThrow(
        new HostNotResolvedError('hooks.example'),
      )
    },
  )

  it('[HOOK-04] are those of the operating system by default', async () => {
    const addresses = await systemResolveHost('localhost')
    expect(addresses.length).toBeGreaterThan(0)
    expect(['127.0.0.1', '::1']).toEqual(expect.arrayContaining([...addresses]))
    await expect(systemResolveHost('nowhere.invalid')).rejects.toThrow('ENOTFOUND')
  })
})

describe('a lookup with a time limit', () => {
  it('[HOOK-04] fails when the name server does not respond in time', async () => {
    const lookUp = withTimeout(() => new Promise(() => {}), 5)
    await expect(lookUp('hooks.example')).rejects.toThrow('The lookup of hooks.example timed out after 5 ms.')
  })

  it('[HOOK-04] ends like the lookup otherwise', async () => {
    const found = withTimeout(async (host) => [`${host} has this one`], 60_000)
    expect(await found('hooks.example')).toEqual(['hooks.example has this one'])
    const failed = withTimeout(() => Promise.reject(new Error('ENOTFOUND')), 60_000)
    await expect(failed('hooks.example')).rejects.toThrow('ENOTFOUND')
  })
})
