/** The options of `mcp`, as parsed by commander. */
export interface McpFlags {
  answers?: boolean
  allowWrite?: boolean
  /** False after `--no-local`. */
  local?: boolean
}
