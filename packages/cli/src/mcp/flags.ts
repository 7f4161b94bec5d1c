import type { OptionSpec, OptionsOf } from '../command.ts'

export const MCP_OPTIONS = [
  { name: 'answers', description: 'also show what respondents of the configured service wrote' },
  {
    name: 'allow-write',
    description: 'add the tool that changes the configured service; it asks you about every change',
  },
  { name: 'no-local', description: 'leave out the tools of the reference server on this machine' },
] as const satisfies readonly OptionSpec[]

export type McpFlags = OptionsOf<typeof MCP_OPTIONS>
