import { setImmediate } from 'node:timers/promises'
import type { ServerContext, ToolAnnotations } from '@modelcontextprotocol/server'
import * as z from 'zod'
import { argumentIssue } from './argument-issue.ts'
import { invalidArgument } from './failures.ts'
import type { Session } from './session.ts'

/** One tool: what it is told to clients, and what it does. */
// biome-ignore lint/suspicious/noExplicitAny: the arguments differ per tool; `defineTool` infers them
export interface Tool<Input extends z.ZodObject = any> {
  name: string
  /** Short: the definitions of all tools are read with every conversation. */
  description: string
  /** A strict object. */
  input: Input
  /** @default those of the group */
  annotations?: ToolAnnotations
  /** Arguments that only some actions take, and which, the likeliest first: with another action, they are refused. */
  takenBy?: Readonly<Record<string, readonly string[]>>
  /** Those of them without which an action that takes them cannot do anything. */
  requires?: readonly string[]
  /** Where it belongs: it exists with the local server, with the configured service, with --allow-write only, or always. */
  group: 'local' | 'service' | 'write' | 'docs'
  /** @throws Failure and the errors of the clients, which become results with a code */
  run(session: Session, given: z.output<Input>, call: ToolCall): Promise<unknown>
}

export type ToolCall = ServerContext & {
  /** Whether the client can ask its user. */
  canAsk: boolean
}

/** Returns the tool; infers the type of the arguments that `run` receives. */
export const defineTool = <Input extends z.ZodObject>(tool: Tool<Input>): Tool<Input> => tool

/** Annotations of a tool that changes nothing. */
export const READ_ONLY: ToolAnnotations = { readOnlyHint: true, openWorldHint: false }
/** Annotations of the tools of a group. */
export const ANNOTATIONS: Readonly<Record<Tool['group'], ToolAnnotations>> = {
  local: { destructiveHint: false, openWorldHint: false },
  service: { readOnlyHint: true, openWorldHint: true },
  write: { destructiveHint: true, openWorldHint: true },
  docs: READ_ONLY,
}

/** Arguments of a list, for `pageOf`. */
export const PAGING = {
  limit: z.int().min(1).max(100).default(20),
  cursor: z.string().max(200).optional(),
}

export const FORM = z.string().min(1).max(100).describe('form id')

/** Newest responses that are read for one form. */
export const SAMPLE = z.int().min(1).max(2000).describe('newest responses to read, default 500')
export const SAMPLE_DEFAULT = 500

/**
 * Resolves in the next turn of the event loop. For loops that wait for nothing else: only between two turns is the cancellation of a call read.
 * @throws the reason of the signal once the call is cancelled
 */
export async function nextTurn(signal: AbortSignal): Promise<void> {
  await setImmediate()
  signal.throwIfAborted()
}

/** Checks the arguments of a tool. @throws Failure `invalid_argument` with the argument, and what it may be */
export function parseArguments<Input extends z.ZodObject>(
  tool: Tool<Input>,
  given: unknown,
): z.output<Input> {
  const parsed = tool.input.safeParse(given)
  if (!parsed.success) throw argumentIssue(tool, given, parsed.error.issues)
  const { action } = parsed.data as { action?: string }
  for (const [name, actions] of Object.entries(tool.takenBy ?? {})) {
    if ((given as Record<string, unknown>)[name] === undefined || actions.includes(String(action))) continue
    const [first, ...others] = actions
    const problem = `only ${actions.join(', ')} ${others.length > 0 ? 'take' : 'takes'} it, not ${action}`
    const other = others.length > 0 ? 'leave it out, or use action' : 'did you mean action'
    throw invalidArgument(name, problem, `${other} ${first}${others.length > 0 ? '' : '?'}`)
  }
  for (const name of tool.requires ?? [])
    if (
      (given as Record<string, unknown>)[name] === undefined &&
      tool.takenBy?.[name]?.includes(String(action))
    )
      throw invalidArgument(name, `${action} requires it`)
  return parsed.data
}
