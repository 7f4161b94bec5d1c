import { readdirSync } from 'node:fs'
import { createReferenceServer } from '@formwire/reference-server'
import { Formwire } from '@formwire/sdk'
import { fileCheckpoint } from '@formwire/sdk/checkpoint/file'
import { beforeEach, describe, expect, it } from 'vitest'
import { quickClock } from '../../../test/support/quick-clock.ts'
import { temporaryDirectory } from '../../../test/support/temporary.ts'
import { follow } from '../src/follow.ts'

describe('following a form', () => {
  const server = createReferenceServer({ limits: 'off' })
  const formwire = new Formwire({
    apiKey: server.writeKey,
    fetch: server.fetch,
    rateLimit: false,
    clock: quickClock(),
  })
  let directory = ''
  let formId = ''
  beforeEach(() => {
    directory = temporaryDirectory()
    formId = server.app.forms.create({ title: 'Survey' }).id
  })

  const respond = (): number => server.app.responses.create(formId).id

  /** Follows until `count` responses are handled; handling `failAt` fails. */
  async function run(count: number, failAt?: number): Promise<number[]> {
    const handled: number[] = []
    const stop = new AbortController()
    await follow({
      formwire,
      formId,
      checkpoint: fileCheckpoint(directory),
      intervalMs: 1000,
      signal: stop.signal,
      handle: ({ id }) => {
        if (id === failAt) throw new Error(`cannot handle ${id}`)
        handled.push(id)
        if (handled.length === count) stop.abort()
        else if (handled.length === 3) respond()
      },
    })
    return handled
  }

  it('[POLL-01] handles existing and new responses, and resumes after a restart', async () => {
    const ids = [respond(), respond(), respond()]
    expect(await run(4)).toEqual([...ids, (ids[2] as number) + 1])
    // An aborted poll ends after one second even if its lock has not been removed yet.
    await expect.poll(() => readdirSync(directory)).toEqual([`${formId}.json`])
    const next = [respond(), respond()]
    expect(await run(2)).toEqual(next)
  })

  it('[POLL-02] passes a response again after its handling failed', async () => {
    const [first, second] = [respond(), respond()] as const
    await expect(run(2, second)).rejects.toThrow(`cannot handle ${second}`)
    expect(await run(1)).toEqual([second])
    expect(first).toBeLessThan(second)
  })
})
