import type { RequestListener } from 'node:http'
import { pipeline, Readable } from 'node:stream'
import { globalClock } from '@formwire/internal/clock'
import type { RehearsalEnvironment } from '@formwire/reference-server/testing'
import { describe, expect, it } from 'vitest'
import { freePort } from '../../../../test/support/free-port.ts'
import { serve } from '../../../../test/support/serve.ts'
import { handledByUrl } from '../../src/rehearse/handled.ts'
import type { Runtime } from '../../src/runtime.ts'

/** Starts a program that answers, and returns its port. */
const listening = async (answer: RequestListener): Promise<number> =>
  Number(new URL(await serve(answer)).port)

/** Asks what was handled. @param patient whether there is time to ask again */
async function ask(url: string, port: number, { patient = false, stop = new AbortController().signal } = {}) {
  let now = 0
  const clock = { ...globalClock, ...(!patient && { now: () => (now += 10_000) }) }
  const runtime = { clock, stop } as unknown as Runtime
  return await handledByUrl({ runtime }, url)({ port } as RehearsalEnvironment)
}

function* endlessly(text: string): Generator<string> {
  for (;;) yield text
}

describe('--handled-url', () => {
  it('reads ids from a path of the program, or from a URL with its port', async () => {
    const port = await listening((request, response) =>
      response.end(request.url === '/handled' ? '3\n1\r\n\n3' : ''),
    )
    expect(await ask('/handled', port)).toEqual([3, 1, 3])
    expect(await ask('http://localhost:$PORT/handled', port)).toEqual([3, 1, 3])
    expect(await ask('/other', port)).toEqual([])
  })

  it('asks again while the program is not there yet', async () => {
    let asked = 0
    const port = await listening((_request, response) => {
      asked += 1
      response.writeHead(asked < 3 ? 503 : 200).end('1')
    })
    expect(await ask('/handled', port, { patient: true })).toEqual([1])
  })

  it('says why it got none', async () => {
    const port = await listening(({ url }, response) => {
      if (url === '/500') response.writeHead(500).end()
      else if (url === '/reset') response.destroy()
      else response.end('id\n1')
    })
    const failed = 'the request to --handled-url failed'
    await expect(ask('/handled', await freePort())).rejects.toThrow(`${failed}: connection refused`)
    await expect(ask('/500', port)).rejects.toThrow(`${failed}: it responded with status 500`)
    await expect(ask('/reset', port)).rejects.toThrow(
      `${failed}: the connection was closed before a response arrived`,
    )
    await expect(ask('/text', port)).rejects.toThrow(
      '--handled-url must print one response id per line, got "id"',
    )
  })

  it('reads no more than 8 MiB of a response', async () => {
    const port = await listening((_request, response) =>
      pipeline(Readable.from(endlessly('1\n'.repeat(32_768))), response, () => undefined),
    )
    await expect(ask('/handled', port)).rejects.toThrow('the response has more than 8 MiB')
  })

  it('stops asking when the command is interrupted', async () => {
    const stop = new AbortController()
    let asked = 0
    const port = await listening(() => {
      asked += 1
      stop.abort(new Error('interrupted'))
    })
    await expect(ask('/handled', port, { patient: true, stop: stop.signal })).rejects.toThrow('interrupted')
    expect(asked).toBe(1)
  })
})
