import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type ChangingList, startChangingList } from './changing-list.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
/** Kept between runs, since Go compiles its standard library into it. */
const goEnv = { GOCACHE: join(root, 'node_modules/.cache/go-build'), GOFLAGS: '', GOPROXY: 'off' }
const isInstalled = (command: string, argument: string): boolean =>
  spawnSync(command, [argument]).status === 0

const CLIENTS = [
  { name: 'python', installed: isInstalled('python3', '--version') },
  { name: 'go', installed: isInstalled('go', 'version') },
]

// Compiling Go's standard library for the first time takes minutes on a slow machine.
describe.each(CLIENTS)('the client in $name', { timeout: 300_000 }, ({ name, installed }) => {
  const directory = join(root, 'examples/clients', name)
  const folder = mkdtempSync(join(tmpdir(), 'formwire-client-'))
  const open: (() => Promise<void>)[] = []
  beforeAll(() => {
    if (!installed || name !== 'go') return
    const build = spawnSync('go', ['build', '-o', join(folder, 'follow'), '.'], {
      cwd: directory,
      env: { ...process.env, ...goEnv },
      encoding: 'utf8',
    })
    expect(build.stderr).toBe('')
  }, 300_000)
  afterEach(async () => {
    for (const close of open.splice(0)) await close()
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  function follow(list: ChangingList, checkpoint: string): ChildProcess {
    const [command, ...args] = name === 'go' ? [join(folder, 'follow')] : ['python3', 'follow.py']
    return spawn(command as string, [...args, list.formId], {
      cwd: directory,
      env: {
        ...process.env,
        NO_PROXY: '*',
        PYTHONDONTWRITEBYTECODE: '1',
        FORMWIRE_BASE_URL: list.url,
        FORMWIRE_API_KEY: list.apiKey,
        CHECKPOINT: join(folder, checkpoint),
        PER_PAGE: '5',
        INTERVAL: '0.01',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
  }

  /** Follows until `isLast` of an id and the number of ids so far; returns the ids in order. */
  async function idsUntil(
    list: ChangingList,
    checkpoint: string,
    isLast: (id: number, count: number) => boolean,
  ): Promise<number[]> {
    const child = follow(list, checkpoint)
    const ids: number[] = []
    for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
      const { id } = JSON.parse(line) as { id: number }
      ids.push(id)
      if (isLast(id, ids.length)) break
    }
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'close')
    return ids
  }

  it('has files of at most 80 lines', () => {
    const names = readdirSync(directory).filter((file) => /\.(py|go)$/.test(file))
    for (const file of names) {
      const lines = readFileSync(join(directory, file), 'utf8').trimEnd().split('\n')
      expect(lines.length, file).toBeLessThanOrEqual(80)
    }
  })

  it.runIf(installed).each([1, 2, 3])(
    '[POLL-01] prints every response once, oldest first, while others come and go (seed %i)',
    async (seed) => {
      const list = await startChangingList(seed)
      open.push(list.close)
      const ids = await idsUntil(list, `changing-${seed}.json`, (id) => id === list.lastId())
      expect(new Set(ids).size).toBe(ids.length)
      expect(ids.filter((id) => !list.created.has(id))).toEqual([])
      expect([...list.live].filter((id) => !ids.includes(id))).toEqual([])
      expect(ids.length).toBeGreaterThan(60)
      expect(ids).toEqual([...ids].sort((one, other) => one - other))
    },
  )

  it.runIf(installed)('[POLL-02] resumes after it was killed', async () => {
    const list = await startChangingList(4)
    open.push(list.close)
    const first = await idsUntil(list, 'killed.json', (_id, count) => count === 20)
    const second = await idsUntil(list, 'killed.json', (id) => id === list.lastId())
    expect([...list.live].filter((id) => !first.includes(id) && !second.includes(id))).toEqual([])
    // It may have been killed between printing a response and saving its checkpoint.
    const repeated = second.filter((id) => first.includes(id))
    expect(repeated).toEqual(first.slice(first.length - repeated.length))
    expect(repeated.length).toBeLessThanOrEqual(1)
  })
})
