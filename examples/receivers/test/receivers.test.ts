import { readdirSync, readFileSync } from 'node:fs'
import { type CheckClock, checkReceiver, createDelivery } from '@formwire/webhook-verify/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorkspace, isInstalled, LANGUAGES, run, SECRET, start, type Workspace } from './support.ts'

/** The receivers count before they respond, so no pause is needed before a count is read; the test has the deadline. */
const clock: CheckClock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (ms <= 2_000) resolve()
      else signal?.addEventListener('abort', () => reject(signal.reason))
    }),
}

// Compiling Go's standard library for the first time takes minutes on a slow machine.
describe.each(LANGUAGES)('the receiver in $name', { timeout: 300_000 }, (language) => {
  const installed = isInstalled(language)
  let workspace: Workspace
  beforeAll(async () => {
    workspace = createWorkspace()
    if (!installed || !language.build) return
    const { code, output } = await run(language, language.build(workspace.folder))
    expect(code, output).toBe(0)
  }, 300_000)
  afterAll(() => workspace.remove())

  it('has files of at most 60 lines', () => {
    const folder = new URL(`../${language.name}/`, import.meta.url)
    const names = readdirSync(folder).filter((name) => /\.(py|rb|php|go)$/.test(name))
    expect(names.length).toBeGreaterThanOrEqual(2)
    for (const name of names) {
      const lines = readFileSync(new URL(name, folder), 'utf8').trimEnd().split('\n')
      expect(lines.length, name).toBeLessThanOrEqual(60)
    }
  })

  it.runIf(installed)('[DLV-10] accepts and refuses every test vector as expected', async () => {
    const { code, output } = await run(language, language.vectors)
    expect(code, output).toBe(0)
    if (language.name !== 'go') expect(output).toBe('93 vectors pass\n')
  })

  it.runIf(installed)('[DLV-05] [DLV-10] passes every check and remembers what it handled', async () => {
    const receiver = await start(language, workspace.folder)
    try {
      const url = `${receiver.url}/webhooks`
      const report = await checkReceiver({ url, secret: SECRET, handled: `${receiver.url}/handled`, clock })
      expect(report.checks.filter(({ passed }) => !passed)).toEqual([])
      const { headers, body } = createDelivery({ secret: SECRET })
      expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(200)
    } finally {
      await receiver.stop()
    }
    const restarted = await start(language, workspace.folder)
    try {
      const before = await (await fetch(`${restarted.url}/handled`)).text()
      const { headers, body } = createDelivery({ secret: SECRET })
      const response = await fetch(`${restarted.url}/webhooks`, { method: 'POST', headers, body })
      expect(response.status).toBe(200)
      expect(await (await fetch(`${restarted.url}/handled`)).text()).toBe(before)
      expect(Number(before)).toBeGreaterThan(10)
    } finally {
      await restarted.stop()
    }
  })

  it.runIf(installed)('refuses a body of more than 1 MiB', async () => {
    const receiver = await start(language, workspace.folder)
    try {
      const body = Buffer.alloc(1_048_577, ' ')
      // A receiver may respond before it has read the whole body, and close the connection.
      const sent = fetch(`${receiver.url}/webhooks`, { method: 'POST', body }).then(({ status }) => status)
      expect([413, 'closed']).toContain(await sent.catch(() => 'closed'))
      expect((await fetch(`${receiver.url}/handled`)).status).toBe(200)
    } finally {
      await receiver.stop()
    }
  })
})
