import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { describe, expect, it, onTestFinished } from 'vitest'
import { blocksOf } from '../../../../scripts/docs/markdown.ts'
import { toolsFor } from '../../src/mcp/tools/index.ts'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const page = readFileSync(`${root}docs/how-to/agents.md`, 'utf8')

describe('docs/how-to/agents.md', () => {
  it('starts the server with that command, in a clone too', async () => {
    const [first] = blocksOf(page).filter(({ language }) => language === 'json')
    const { command, args } = JSON.parse(first?.code ?? '').mcpServers.formwire
    const client = new Client({ name: 'editor', version: '1' })
    onTestFinished(() => client.close())
    await client.connect(new StdioClientTransport({ command, args, cwd: root }), { timeout: 120_000 })
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain('explain')
  }, 150_000)

  it('lists the tools, in their order, with what they reach', () => {
    const rows = [...page.matchAll(/^\| `(\w+)` \| .* \| (.*) \|$/gm)].map(([, name = '', reach = '']) => ({
      name,
      reach,
    }))
    expect(rows).toHaveLength(16)
    const tools = toolsFor({ allowWrite: true })
    const known = rows.filter(({ name }) => tools.some((tool) => tool.name === name))
    expect(known.map(({ name }) => name)).toEqual(tools.map(({ name }) => name))
    for (const { name, group } of tools) {
      const reach = rows.find((row) => row.name === name)?.reach
      if (group === 'local') expect(reach, name).toMatch(/^local$|on your machine/)
      if (group === 'write') expect(reach, name).toMatch(/writes/)
    }
  })
})
