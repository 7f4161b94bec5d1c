import { globalClock } from '@formwire/internal/clock'
import { describe, expect, it } from 'vitest'
import { freePort } from '../../../../../test/support/free-port.ts'
import { serve } from '../../../../../test/support/serve.ts'
import { countReader } from '../../../src/testing/receiver-check/handled-count.ts'
import { IdleClock } from './idle-clock.ts'

async function read(text: string, status = 200): Promise<number> {
  const url = await serve((_request, response) => response.writeHead(status).end(text))
  return countReader(url, globalClock)()
}

const NO_NUMBER = 'it is not a whole number as plain text'

describe('the count of handled responses', () => {
  it.each([
    ['0', 0],
    [' 12\n', 12],
    ['999999999999999', 999_999_999_999_999],
  ])('is read from a URL: %j', async (text, count) => {
    expect(await read(text)).toBe(count)
  })

  it.each(['', 'many', '1.5', '-1', '0x10', '1e3', '1 2', '1234567890123456'])('is not %j', async (text) => {
    await expect(read(text)).rejects.toThrow(NO_NUMBER)
  })

  it('is not in a response of another status', async () => {
    await expect(read('1', 500)).rejects.toThrow('the response status is 500')
  })

  it('comes from a function', async () => {
    expect(await countReader(() => 3, globalClock)()).toBe(3)
    expect(await countReader(async () => 0, globalClock)()).toBe(0)
    for (const wrong of [-1, 1.5, Number.NaN, '1'])
      await expect(countReader(() => wrong as number, globalClock)()).rejects.toThrow(NO_NUMBER)
  })

  it('fails after 5 seconds without a response', async () => {
    const clock = new IdleClock()
    await expect(countReader(await serve(() => undefined), clock)()).rejects.toThrow('no response within 5 s')
    expect(clock.elapsed).toBe(5_000)
  })

  it('fails with the reason, without its full stop, when nothing listens', async () => {
    const url = `http://127.0.0.1:${await freePort()}`
    const error = await countReader(url, globalClock)().catch((cause: Error) => cause)
    expect(error).toMatchObject({ name: 'Error', message: `Could not connect to ${url}: connection refused` })
  })
})
