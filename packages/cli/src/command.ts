import type { Context } from './context.ts'
import type { ExitCode } from './exit.ts'

/** One positional argument, in commander's notation: `<form>`, `[webhook]`, `[args...]`. */
interface ArgumentSpec {
  name: string
  description: string
}

/** One option, in commander's notation: `--limit <n>`. */
export interface OptionSpec {
  flags: string
  description: string
  /** Turns the text into the value. @throws Failure exit 2 */
  parse?: ((text: string, previous: never) => unknown) | undefined
  default?: unknown
}

/** A command: what help shows of it, and what it does. */
export interface CommandSpec<Options = Record<string, unknown>> {
  /** Longer text for its own help. */
  description?: string
  arguments?: readonly ArgumentSpec[]
  options?: readonly OptionSpec[]
  /** At least one: a command line, and what it does. */
  examples: readonly (readonly [commandLine: string, does: string])[]
  /** Exit codes that it can end with, besides 0, 2 and 130. */
  exits: readonly ExitCode[]
  /** Everything after the command goes to another program as it is; global options stand before the command. */
  passThrough?: boolean
  /** Ends with 0 unless it says otherwise or throws. */
  run(
    context: Context,
    args: readonly (string | undefined)[],
    options: Options,
  ): Promise<ExitCode | undefined> | Promise<void>
}

/** Keeps the types of a command's options together with its run. */
export function defineCommand<Options>(spec: CommandSpec<Options>): CommandSpec<Options> {
  return spec
}
