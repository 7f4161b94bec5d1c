import { onTestFinished } from 'vitest'
import { LocalServer } from '../../src/mcp/local-server.ts'
import type { Session } from '../../src/mcp/session.ts'
import { parseArguments, type Tool } from '../../src/mcp/tool.ts'
import { NOON } from './run-cli.ts'

/** A session in this process, with a local server at noon. */
export interface LocalSession {
  local: LocalServer
  /** Runs a tool with arguments as a client gives them. */
  run(tool: Tool, args?: Record<string, unknown>, signal?: AbortSignal): Promise<unknown>
  /** Creates a form with an endpoint, and returns their ids and the secret. */
  endpoint(url: string): Promise<{ form: string; id: number; secret: string }>
  /** Submits a response and waits until its deliveries have been attempted. Returns the response's id. */
  submit(form: string): Promise<number>
}

/** Starts a local server until the test has finished. `now` is the real time of the session. */
export async function startSession(now: number | (() => number) = NOON): Promise<LocalSession> {
  const local = new LocalServer()
  onTestFinished(async () => void (await local.stop()))
  await local.start({ clock: 'manual', now: new Date(NOON).toISOString() })
  const clock = {
    now: () => (typeof now === 'number' ? now : now()),
    sleep: (ms: number) => (ms <= 2_000 ? Promise.resolve() : new Promise(() => undefined)),
  }
  const stop = new AbortController().signal
  const session = { local, context: { runtime: { clock, stop }, hide() {} } } as unknown as Session
  return {
    local,
    run: (tool, args = {}, signal = stop) =>
      tool.run(session, parseArguments(tool, args), { mcpReq: { signal } } as never),
    async endpoint(url) {
      const questions = [{ id: 'stars', type: 'rating', title: 'Stars' }]
      const { id: form } = (await local.call('POST', '/forms', { title: 'Visit', questions })) as {
        id: string
      }
      await local.call('POST', `/forms/${form}/publish`)
      const created = (await local.call('POST', `/forms/${form}/webhooks`, { url })) as {
        id: number
        secret: string
      }
      local.secrets.set(created.id, created.secret)
      return { form, ...created }
    },
    async submit(form) {
      const answers = [{ question_id: 'stars', value: 5 }]
      const { id } = (await local.call('POST', `/forms/${form}/responses`, { answers, deliver: true })) as {
        id: number
      }
      await local.call('POST', '/clock/advance', { by: 0 })
      return id
    },
  }
}
