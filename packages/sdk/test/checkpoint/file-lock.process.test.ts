import { readdirSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { bundled } from '../../../../test/support/bundled.ts'
import { WAIT_MS } from '../../../../test/support/patience.ts'
import { type Spawned, start } from '../../../../test/support/spawn.ts'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { fileCheckpoint } from '../../src/checkpoint/file.ts'
import { AbortError, CheckpointError, Formwire, LeaseLostError, type PollState } from '../../src/index.ts'
import { respond } from '../support/fake-transport.ts'
import { ModelService } from '../support/model-service.ts'

const A: PollState = { version: 1, since: '2026-11-21T09:30:00.000Z', ids: [1] }
const B: PollState = { version: 1, since: '2026-11-21T09:30:01.000Z', ids: [2] }
let directory = ''
let lock = ''

beforeEach(() => {
  directory = temporaryDirectory()
  lock = join(directory, 'form.json.lock')
})

const acquire = async (options: { leaseMs?: number } = {}, signal?: AbortSignal) => {
  const lease = await fileCheckpoint(directory, { sync: false, ...options }).acquire?.('form', signal)
  if (!lease) throw new Error('a file checkpoint has a lease')
  return lease
}

const failure = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error)

/** Rewrites the lock as one that another holder left, last touched `ageMs` ago. */
async function leaveLock(holder: object, ageMs = 0): Promise<void> {
  const lease = await acquire()
  const own = JSON.parse(readFileSync(lock, 'utf8')) as object
  await lease.release()
  writeFileSync(lock, JSON.stringify({ ...own, nonce: 'left behind', ...holder }))
  ageLock(ageMs)
}

function poll(formId: string, signal?: AbortSignal) {
  const model = new ModelService()
  model.fill([1_790_000_000_000_000_000n, 1_790_000_001_000_000_000n])
  const formwire = new Formwire({ apiKey: 'svc_k', transport: model.transport, rateLimit: false })
  return formwire.responses.poll(formId, { checkpoint: fileCheckpoint(directory), signal })
}

describe('the lock of a checkpoint in a file', () => {
  it('[POLL-02] rejects a second poll of a form with a CheckpointError that names the process', async () => {
    const first = poll('form')
    expect((await first.next()).value).toMatchObject({ id: 1 })
    const error = await failure(poll('form').next())
    expect(error).toBeInstanceOf(CheckpointError)
    expect(error).toMatchObject({
      reason: 'locked',
      message: `The checkpoint ${join(directory, 'form.json')} is in use by process ${process.pid} on ${hostname()}; stop that poll or use another checkpoint.`,
    })
    expect((await first.next()).value).toMatchObject({ id: 2 })
    await first.return()
    const next = poll('form')
    expect((await next.next()).value).toMatchObject({ id: 2 })
    await next.return()
  })

  it('is released at the end of a poll: after the backlog, on abort, when the loop is left, and on an error', async () => {
    const locks = (): string[] => readdirSync(directory).filter((name) => name.endsWith('.lock'))
    const none = (): void => expect(locks()).toEqual([])
    const held = (): void => expect(readdirSync(directory)).toContain('form.json.lock')
    const left = poll('form')
    await left.next()
    held()
    await left.return()
    none()
    const stop = new AbortController()
    const aborted = poll('form', stop.signal)
    await aborted.next()
    held()
    stop.abort()
    await aborted.next()
    // An aborted poll waits at most one second for the removal.
    await expect.poll(locks).toEqual([])
    const formwire = new Formwire({
      apiKey: 'svc_k',
      rateLimit: false,
      transport: async () => respond({ status: 404, body: { error: { code: 'not_found', message: 'No.' } } }),
    })
    const failing = formwire.responses.poll('form', { checkpoint: fileCheckpoint(directory) })
    await expect(failing.next()).rejects.toThrow('404')
    none()
  })

  it('[POLL-02] is denied while another process holds it, and taken over immediately when that process is killed', async () => {
    const { child, firstLine, finished } = await holdInChild()
    try {
      await firstLine
      expect(await failure(acquire())).toMatchObject({
        reason: 'locked',
        message: expect.stringContaining(`in use by process ${child.pid} on `),
      })
      child.kill('SIGKILL')
      await finished
      expect(readdirSync(directory)).toEqual(['form.json.lock'])
      const lease = await acquire()
      await lease.save('form', A)
      await lease.release()
      expect(readdirSync(directory)).toEqual(['form.json'])
    } finally {
      child.kill('SIGKILL')
    }
  })

  it('is taken over if a running process has not touched it for leaseMs', async () => {
    await leaveLock({ pid: process.ppid }, 5_000)
    expect(await failure(acquire())).toMatchObject({ reason: 'locked' })
    ageLock(15_001)
    await (await acquire({ leaseMs: 60 })).release()
  })

  it.each([
    ['its running process', 'is 20 s behind', 20_000, {}, `process ${process.ppid} on ${hostname()};`],
    ['its running process', 'is 20 s ahead', -20_000, {}, `process ${process.ppid} on ${hostname()};`],
    ['a poller on another machine', 'is right', 0, { host: 'elsewhere', pid: 7 }, 'process 7 on elsewhere;'],
  ])('is denied if %s touches it, and the clock of the disk %s', async (_by, _clock, ageMs, holder, by) => {
    await leaveLock({ pid: process.ppid, ...holder }, ageMs + 60_000)
    let touches = 0
    const touching = setInterval(() => {
      touches += 1
      ageLock(ageMs - touches)
    }, 5)
    try {
      const message = expect.stringContaining(`in use by ${by}`)
      expect(await failure(acquire({ leaseMs: 500 }))).toMatchObject({ reason: 'locked', message })
    } finally {
      clearInterval(touching)
    }
  })

  it('throws a CheckpointError if a symbolic link without a target is in its place', async () => {
    symlinkSync(join(directory, 'nowhere'), lock)
    expect(await failure(acquire())).toMatchObject({
      name: 'CheckpointError',
      message: `The checkpoint ${join(directory, 'form.json')} cannot be locked.`,
      cause: { code: 'ENOENT' },
    })
  })

  it.each([
    ['another machine', () => leaveLock({ host: 'elsewhere' })],
    ['an earlier process with the same id', () => leaveLock({ pid: process.pid })],
    ['a running process whose date is in the future', () => leaveLock({ pid: process.ppid }, -60_000)],
    ['a killed process that left it empty', () => writeFileSync(lock, '')],
  ])('is taken over from %s after leaseMs without a touch', async (_name, leave) => {
    await leave()
    const lease = await acquire({ leaseMs: 60 })
    expect(JSON.parse(readFileSync(lock, 'utf8'))).toMatchObject({ pid: process.pid })
    await lease.release()
    expect(readdirSync(directory)).toEqual([])
  })

  it('stops waiting when its signal aborts', async () => {
    await leaveLock({ host: 'elsewhere' })
    const stop = new AbortController()
    const waiting = acquire({}, stop.signal)
    setImmediate(() => stop.abort())
    await expect(waiting).rejects.toThrow(AbortError)
  })

  it('is touched while it is held', async () => {
    const lease = await acquire({ leaseMs: 30 })
    utimesSync(lock, new Date(0), new Date(0))
    while (statSync(lock).mtimeMs === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    expect(Date.now() - statSync(lock).mtimeMs).toBeLessThan(WAIT_MS)
    await lease.release()
  })

  it('[POLL-02] rejects the save of a holder that lost it, and leaves it to the new holder', async () => {
    const first = await acquire()
    await first.save('form', A)
    // It was suspended for so long that another poller took over.
    rmSync(lock)
    await leaveLock({ pid: process.ppid })
    await fileCheckpoint(directory).save('form', B)
    const taken = readFileSync(lock, 'utf8')
    await expect(first.save('form', A)).rejects.toThrow(LeaseLostError)
    expect(first.lost.aborted).toBe(true)
    expect(await fileCheckpoint(directory).load('form')).toEqual(B)
    await first.release()
    expect(readFileSync(lock, 'utf8')).toBe(taken)
  })

  it('is taken over by one of many pollers that find it stale at the same time', async () => {
    const { child, finished } = start(['-e', ''], process.env)
    await finished
    for (let round = 0; round < 20; round += 1) {
      await leaveLock({ pid: child.pid })
      const all = await Promise.allSettled(Array.from({ length: 8 }, () => acquire()))
      const won = all.filter((one) => one.status === 'fulfilled')
      expect(won).toHaveLength(1)
      await won[0]?.value.release()
      expect(readdirSync(directory)).toEqual([])
    }
  })

  it.each([
    ['', 0],
    [', before the clock was set back', Date.now() + 3_600_000],
  ])('is taken over even if a process was killed while removing a stale lock%s', async (_when, at) => {
    await leaveLock({ pid: process.ppid }, 60_000)
    writeFileSync(`${lock}.break`, '')
    utimesSync(`${lock}.break`, new Date(at), new Date(at))
    await (await acquire({ leaseMs: 60 })).release()
    expect(readdirSync(directory)).toEqual([])
  })
})

function ageLock(ageMs: number): void {
  const touched = new Date(Date.now() - ageMs)
  utimesSync(lock, touched, touched)
}

/** Starts a process that takes the lock, prints a line, and holds the lock until it is killed. */
async function holdInChild(): Promise<Spawned> {
  return start([await bundled(new URL('lock-worker.ts', import.meta.url)), directory], process.env)
}
