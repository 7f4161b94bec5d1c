import { afterEach, expect, it, vi } from 'vitest'
import { BODY, SECRET, SIGNATURE, TIMESTAMP } from '../support.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

async function freshModule() {
  vi.resetModules()
  const importKey = vi.spyOn(crypto.subtle, 'importKey')
  return { importKey, ...(await import('../../src/verification/web-hmac.ts')) }
}

it('caches 256 keys, then starts again', async () => {
  const { importKey, signedBytes, webHmacHex } = await freshModule()
  const sign = (index: number) => webHmacHex(`whsec_${index}`, signedBytes('1', ''))
  for (let index = 0; index < 256; index++) await sign(index)
  for (let index = 0; index < 256; index++) await sign(index)
  expect(importKey).toHaveBeenCalledTimes(256)
  await sign(256)
  await sign(256)
  expect(importKey).toHaveBeenCalledTimes(257)
  await sign(0)
  expect(importKey).toHaveBeenCalledTimes(258)
})

it('[DLV-04] signs and verifies the timestamp, a dot and the bytes of the body', async () => {
  const { signedBytes, webHmacHex, webHmacMatches } = await freshModule()
  const signed = signedBytes(String(TIMESTAMP), BODY)
  expect(new TextDecoder().decode(signed)).toBe(`1795253400.${BODY}`)
  expect(signedBytes('12', Buffer.from('é'))).toEqual(new Uint8Array([0x31, 0x32, 0x2e, 0xc3, 0xa9]))
  expect(await webHmacHex(SECRET, signed)).toBe(SIGNATURE)
  expect(await webHmacMatches(SECRET, signed, SIGNATURE)).toBe(true)
  for (const other of [`0${SIGNATURE.slice(1)}`, `${SIGNATURE.slice(0, -1)}0`, SIGNATURE.slice(0, 62)])
    expect(await webHmacMatches(SECRET, signed, other)).toBe(false)
})

it('imports keys that cannot be read again', async () => {
  const { importKey, signedBytes, webHmacHex } = await freshModule()
  await webHmacHex('whsec_a', signedBytes('1', ''))
  expect((await importKey.mock.results[0]?.value)?.extractable).toBe(false)
})
