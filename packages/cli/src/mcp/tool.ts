import { nearestName } from '@formwire/internal/nearest-name'
import type { ServerContext, ToolAnnotations } from '@modelcontextprotocol/server'
import * as z from 'zod'
import { invalidArgument } from './result.ts'
import type { Session } from './session.ts'

/** One tool: what it is told to clients, and what it does. */
// biome-ignore lint/suspicious/noExplicitAny: the arguments differ per tool; `defineTool` infers them
export interface Tool<Input extends z.ZodObject = any> {
  name: string
  /** Short: the definitions of all tools are read with every conversation. */
  description: string
  /** A strict object. */
  input: Input
  annotations: ToolAnnotations
  /** Where it belongs: it exists with the local server, with the configured service, with --allow-write only, or always. */
  group: 'local' | 'service' | 'write' | 'docs'
  /** @throws Failure and the errors of the clients, which become results with a code */
  run(session: Session, given: z.output<Input>, call: ToolCall): Promise<unknown>
}

/** One call of a tool. */
export type ToolCall = ServerContext & {
  /** Whether the client can ask its user. */
  canAsk: boolean
}

/** Returns the tool; infers the type of the arguments that `run` receives. */
export const defineTool = <Input extends z.ZodObject>(tool: Tool<Input>): Tool<Input> => tool

/** Annotations of a tool that changes nothing. */
export const READ_ONLY: ToolAnnotations = { readOnlyHint: true, openWorldHint: false }
/** Annotations of a tool that changes the local server. */
export const LOCAL: ToolAnnotations = { destructiveHint: false, openWorldHint: false }

/** Annotations of a tool that reads the configured service. */
export const SERVICE: ToolAnnotations = { readOnlyHint: true, openWorldHint: true }
/** Annotations of a tool that changes the configured service. */
export const WRITES: ToolAnnotations = { destructiveHint: true, openWorldHint: true }

/** Arguments of a list, for `pageOf`. */
export const PAGING = {
  limit: z.int().min(1).max(100).default(20),
  cursor: z.string().max(200).optional(),
}

/** The id of a form. */
export const FORM = z.string().min(1).max(100)

/** Newest responses that are read for one form. */
export const SAMPLE = z.int().min(1).max(2000).describe('newest responses to read, default 500')
export const SAMPLE_DEFAULT = 500

/** Checks the arguments of a tool. @throws Failure `invalid_argument` with the argument, and what it may be */
export function parseArguments<Input extends z.ZodObject>(
  tool: Tool<Input>,
  given: unknown,
): z.output<Input> {
  const parsed = tool.input.safeParse(given)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const known = Object.keys(tool.input.shape)
  if (issue?.code === 'unrecognized_keys') {
    const name = String(issue.keys[0])
    const nearest = nearestName(name, known)
    throw invalidArgument(
      name,
      `${tool.name} has no such argument`,
      nearest === undefined ? `its arguments: ${known.join(', ')}` : `did you mean ${nearest}?`,
    )
  }
  throw invalidArgument(
    issue?.path.join('.') || 'arguments',
    z.prettifyError(parsed.error).split('\n')[0]?.replace(/^\W+/, '') ?? 'invalid',
  )
}
