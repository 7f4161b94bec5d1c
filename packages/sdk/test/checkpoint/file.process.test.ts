import { chmodSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { bundled } from '../../../../test/support/bundled.ts'
import { start } from '../../../../test/support/spawn.ts'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { fileCheckpoint } from '../../src/checkpoint/file.ts'
import { CheckpointError, type PollState } from '../../src/index.ts'

const state: PollState = { version: 1, since: '2026-11-21T09:30:00.000Z', ids: [1, 2] }
let directory = ''

beforeEach(() => {
  directory = temporaryDirectory()
})

describe('the checkpoint in a file', () => {
  it.each([true, false])('loads the saved state of each key (sync: %s)', async (sync) => {
    const store = fileCheckpoint(join(directory, 'deep', 'er'), { sync })
    expect(await store.load('form')).toBeUndefined()
    await store.save('form', state)
    await store.save('a/../b', { ...state, ids: [9] })
    expect(await store.load('form')).toEqual(state)
    expect(await store.load('a/../b')).toEqual({ ...state, ids: [9] })
    expect(readdirSync(join(directory, 'deep', 'er')).sort()).toEqual(['a%2F..%2Fb.json', 'form.json'])
  })

  it('removes temporary files of a killed process, but not those of a running one', async () => {
    const { child, finished } = start(['-e', ''], process.env)
    await finished
    writeFileSync(join(directory, `form.json.${child.pid}.1.tmp`), '{"ver')
    writeFileSync(join(directory, `form.json.${process.ppid}.1.tmp`), '{"ver')
    expect(await fileCheckpoint(directory).load('form')).toBeUndefined()
    expect(readdirSync(directory)).toEqual([`form.json.${process.ppid}.1.tmp`])
  })

  it.skipIf(process.platform === 'win32')(
    'writes through no planted link or file, readable by its owner only',
    async () => {
      const victim = join(directory, 'victim')
      writeFileSync(victim, 'kept')
      for (let number = 1; number <= 300; number += 1) {
        const name = join(directory, `form.json.${process.pid}.${number}.tmp`)
        if (number % 2) symlinkSync(victim, name)
        else {
          writeFileSync(name, '')
          chmodSync(name, 0o666)
        }
      }
      const store = fileCheckpoint(directory)
      for (const id of [1, 2]) {
        await store.save('form', { ...state, ids: [id] })
        expect(readFileSync(victim, 'utf8')).toBe('kept')
        expect(statSync(join(directory, 'form.json')).mode & 0o777).toBe(0o600)
      }
      expect(readdirSync(directory)).toHaveLength(302)
    },
  )

  it('names the file that cannot be read or written', async () => {
    for (const text of ['not json', 'null', '5', '{"version":2}']) {
      writeFileSync(join(directory, 'form.json'), text)
      await expect(fileCheckpoint(directory).load('form')).rejects.toThrow(CheckpointError)
      await expect(fileCheckpoint(directory).load('form')).rejects.toThrow(
        /form\.json is damaged or not version 1; remove it/,
      )
    }
    const file = join(directory, 'form.json')
    await expect(fileCheckpoint(file).save('x', state)).rejects.toThrow(/cannot be written/)
    await expect(fileCheckpoint(file).acquire?.('x')).rejects.toThrow(/cannot be locked/)
  })

  it('makes the state and the lock readable by their owner only', async () => {
    const store = fileCheckpoint(directory)
    const lease = await store.acquire?.('form')
    await lease?.save('form', state)
    const modeOf = (name: string): number => statSync(join(directory, name)).mode & 0o777
    expect([modeOf('form.json'), modeOf('form.json.lock')]).toEqual([0o600, 0o600])
    await lease?.release()
  })

  it('[POLL-02] contains a complete state, at least as new as the last one reported, after the process is killed at any instant', async () => {
    const program = await bundled(new URL('save-worker.ts', import.meta.url))
    for (let kill = 0; kill < 8; kill += 1) {
      const worker = start([program, directory], process.env)
      await new Promise<void>((resolve) => {
        worker.child.stdout.on('data', () => {
          if (worker.stdout.split('\n').length > 3 + kill * 5) resolve()
        })
      })
      worker.child.kill('SIGKILL')
      const { stdout, stderr } = await worker.finished
      expect(stderr).toBe('')
      const reported = Number(stdout.trimEnd().split('\n').at(-1))
      const loaded = await fileCheckpoint(directory).load('form')
      expect(loaded?.ids).toHaveLength(2000)
      expect(Date.parse(loaded?.since ?? '')).toBeGreaterThanOrEqual(reported)
      expect(readdirSync(directory)).toEqual(['form.json'])
      rmSync(join(directory, 'form.json'))
    }
  })
})
