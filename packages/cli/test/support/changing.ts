import type { ElicitResult } from '@modelcontextprotocol/client'
import { type McpOptions, startMcp } from './mcp-in-process.ts'
import type { Service } from './service.ts'

export const YES: ElicitResult = { action: 'accept', content: { confirm: true } }

/** What a user replies, or what finds out. */
type Reply = ElicitResult | ((question: string) => ElicitResult | Promise<ElicitResult>)

/** What the tests of the tool `change` share. @param service the one of the test */
export function changing(service: Service) {
  /** Starts a client whose user gives this reply, and keeps what the user was asked. */
  async function startAsking(reply: Reply = YES, options: McpOptions = {}) {
    const asked: string[] = []
    const mcp = await startMcp(['--allow-write'], {
      env: service.env,
      onAsk({ message }) {
        asked.push(message)
        return typeof reply === 'function' ? reply(message) : reply
      },
      ...options,
    })
    return { ...mcp, asked }
  }

  /** The requests that the service has received, apart from those that read. */
  const writes = (): string[] =>
    service.server.app.requests
      .list()
      .filter(({ method }) => method !== 'GET')
      .map(({ method, path }) => `${method} ${path}`)
      .reverse()

  const statusOf = (form: string): string => service.server.app.forms.get(form).status

  return { startAsking, writes, statusOf }
}
