import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { afterEach, expect, it } from 'vitest'
import { bundled } from '../../../../test/support/bundled.ts'

/** The case that every store for several processes must pass. */
export function itIsShared(kind: 'redis' | 'postgres', url: () => string): void {
  const children: ChildProcess[] = []
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL')
  })

  async function worker(count: number) {
    const program = await bundled(new URL('claim-worker.ts', import.meta.url))
    const args = [program, kind, url(), String(count)]
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
    children.push(child)
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    return { child, nextLine: async () => (await lines.next()).value as string }
  }

  it('[DLV-10] grants every delivery to one of three concurrent processes, which then end', async () => {
    const workers = await Promise.all([worker(200), worker(200), worker(200)])
    for (const { nextLine } of workers) expect(await nextLine()).toBe('ready')
    const ended = workers.map(({ child }) => once(child, 'exit'))
    for (const { child } of workers) child.stdin?.write('go\n')
    const won = (
      await Promise.all(workers.map(async ({ nextLine }) => JSON.parse(await nextLine()) as number[]))
    ).flat()
    expect(won.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, index) => index + 1))
    // The pool of PostgreSQL is open, but idle.
    const exits = await Promise.all(ended)
    expect(exits.map(([code]) => code)).toEqual([0, 0, 0])
  })
}
