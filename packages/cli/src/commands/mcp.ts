import { defineCommand } from '../command.ts'
import { usage } from '../failure.ts'
import { MCP_OPTIONS } from '../mcp/flags.ts'

/** `formwire mcp` */
export const mcp = defineCommand({
  path: ['mcp'],
  summary: 'serve tools to a coding agent over MCP',
  description:
    'Serves the Model Context Protocol on stdin and stdout. An agent gets a reference server on this machine that it may break: ' +
    'with a clock, faults, receivers and explanations of failed deliveries. The service that is configured with ' +
    'FORMWIRE_BASE_URL and FORMWIRE_API_KEY, or a profile, can be read: forms, counts and shapes of answers. ' +
    'Texts of respondents are shown with --answers only, and tools that write to it exist with --allow-write only.\n' +
    'Editors start this command by themselves. It ends when its standard input closes.',
  options: MCP_OPTIONS,
  examples: {
    'formwire mcp': 'a local server to test against, and the configured service to read',
    'formwire mcp --no-local --answers': 'read the configured service, texts of respondents included',
  },
  exits: [130],
  async run(context, _args, flags) {
    if (context.runtime.stdin.isTTY === true)
      throw usage(
        'standard input is a terminal, but mcp talks to an editor or an agent',
        'add the command "npx --no formwire mcp" to the configuration of your editor: see "Agents" in the README of @formwire/cli',
      )
    const { runMcp } = await import('../mcp/run-mcp.ts')
    return await runMcp(context, flags)
  },
})
