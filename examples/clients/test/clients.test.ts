import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { hasProgram } from '../../../test/support/programs.ts'
import { temporaryDirectory } from '../../../test/support/temporary.ts'
import { type ChangingList, startChangingList } from './changing-list.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
/** Kept between runs, since Go compiles its standard library into it. */
const goEnv = { GOCACHE: join(root, 'node_modules/.cache/go-build'), GOFLAGS: '', GOPROXY: 'off' }

const CLIENTS = [
  { name: 'python', program: 'python3', file: 'follow.py', responses: 60 },
  // Its pages hold 100.
  { name: 'go', program: 'go', file: 'poll.go', responses: 350 },
]

// Compiling Go's standard library for the first time takes minutes on a slow machine.
describe.each(CLIENTS)('the client in $name', { timeout: 300_000 }, ({ name, program, file, responses }) => {
  const installed = hasProgram(program)
  const directory = join(root, 'examples/clients', name)
  let folder = ''
  const open: (() => Promise<void>)[] = []
  beforeAll(() => {
    folder = temporaryDirectory()
    if (!installed || name !== 'go') return
    const build = spawnSync('go', ['build', '-o', join(folder, 'poll'), '.'], {
      cwd: directory,
      env: { ...process.env, ...goEnv },
      encoding: 'utf8',
    })
    expect(build.stderr).toBe('')
  }, 300_000)
  afterEach(async () => {
    for (const close of open.splice(0)) await close()
  })

  /** Starts the client in the folder of its checkpoint. */
  function start(list: ChangingList, cwd: string): ChildProcess {
    const [command, ...args] = name === 'go' ? [join(folder, 'poll')] : ['python3', join(directory, file)]
    return spawn(command as string, [...args, list.formId], {
      cwd,
      env: {
        ...process.env,
        NO_PROXY: '*',
        PYTHONDONTWRITEBYTECODE: '1',
        FORMWIRE_BASE_URL: list.url,
        FORMWIRE_API_KEY: list.apiKey,
        PER_PAGE: '5',
        INTERVAL: '0.01',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
  }

  /** Runs the client, again when it has ended, until `isLast` of an id and the number of ids so far; returns the ids in order. */
  async function idsUntil(
    list: ChangingList,
    checkpoint: string,
    isLast: (id: number, count: number) => boolean,
  ): Promise<number[]> {
    const cwd = join(folder, checkpoint)
    mkdirSync(cwd, { recursive: true })
    const ids: number[] = []
    for (let stopped = false; !stopped; ) {
      const child = start(list, cwd)
      const closed = once(child, 'close')
      // Until the end: what the client has printed before it was killed counts.
      for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
        const { id } = JSON.parse(line) as { id: number }
        ids.push(id)
        if (!isLast(id, ids.length)) continue
        stopped = true
        child.kill('SIGKILL')
      }
      const [code] = await closed
      // A client may have ended before it is killed.
      expect(code ?? 'killed').toBe(stopped && code === null ? 'killed' : 0)
    }
    return ids
  }

  it('is one file of at most 80 lines', () => {
    const others = /^(go\.mod|__pycache__)$/
    expect(readdirSync(directory).filter((other) => !others.test(other))).toEqual([file])
    const lines = readFileSync(join(directory, file), 'utf8').trimEnd().split('\n')
    expect(lines.length).toBeLessThanOrEqual(80)
    expect(lines.filter((line) => line.length > 140)).toEqual([])
  })

  it.runIf(installed).each([1, 2, 3])(
    '[POLL-01] prints every response once, oldest first, while others come and go (seed %i)',
    async (seed) => {
      const list = await startChangingList(seed, responses)
      open.push(list.close)
      const ids = await idsUntil(list, `changing-${seed}`, (id) => id === list.lastId())
      expect(new Set(ids).size).toBe(ids.length)
      expect(ids.filter((id) => !list.created.has(id))).toEqual([])
      expect([...list.live].filter((id) => !ids.includes(id))).toEqual([])
      expect(ids.length).toBeGreaterThan(60)
      expect(ids).toEqual([...ids].sort((one, other) => one - other))
    },
  )

  it.runIf(installed)('[POLL-02] resumes after it was killed', async () => {
    const list = await startChangingList(4, responses)
    open.push(list.close)
    const first = await idsUntil(list, 'killed', (_id, count) => count === 20)
    const second = await idsUntil(list, 'killed', (id) => id === list.lastId())
    expect([...list.live].filter((id) => !first.includes(id) && !second.includes(id))).toEqual([])
    // It may have been killed between printing a response and saving its checkpoint.
    const repeated = second.filter((id) => first.includes(id))
    expect(repeated).toEqual(first.slice(first.length - repeated.length))
    expect(repeated.length).toBeLessThanOrEqual(1)
  })
})
