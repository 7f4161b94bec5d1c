import type { McpFlags } from '../../commands/mcp.ts'
import type { Tool } from '../tool.ts'
import { clock } from './clock.ts'
import { server } from './server.ts'

export { parseArguments, type Tool } from '../tool.ts'

/** Every tool, in the order in which clients list them. */
const TOOLS: readonly Tool[] = [server, clock]

/** Returns the tools that exist with these options. */
export const toolsFor = ({ local = true, allowWrite = false }: McpFlags): readonly Tool[] =>
  TOOLS.filter(({ group }) => (group === 'local' ? local : group === 'write' ? allowWrite : true))
