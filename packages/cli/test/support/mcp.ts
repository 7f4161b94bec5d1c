import { type CallToolResult, Client, type ClientOptions } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { inject, onTestFinished } from 'vitest'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import type { Mcp } from './mcp-in-process.ts'

/** Connects the official client to the built program, until the test has finished. */
export async function connectMcp(
  options: readonly string[] = [],
  env: Record<string, string> = {},
  clientOptions: ClientOptions = {},
): Promise<Pick<Mcp, 'client' | 'call'>> {
  const client = new Client({ name: 'test', version: '1.0.0' }, clientOptions)
  onTestFinished(() => client.close())
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [inject('programs').cli, 'mcp', ...options],
      env: { PATH: process.env.PATH ?? '', HOME: temporaryDirectory(), ...env },
    }),
  )
  return {
    client,
    async call(name, args = {}) {
      const { content } = (await client.callTool({ name, arguments: args })) as CallToolResult
      const [block] = content
      if (block?.type !== 'text' || content.length !== 1 || block.text.length > 32_000)
        throw new Error('a result is one text of at most 32,000 characters')
      return JSON.parse(block.text)
    },
  }
}
