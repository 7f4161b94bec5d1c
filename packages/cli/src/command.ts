import type { Context } from './context.ts'
import type { ExitCode } from './exit.ts'

/** One positional argument, in commander's notation: `<form>`, `[webhook]`, `[args...]`. */
export interface ArgumentSpec {
  name: string
  description: string
  /** Lets the user choose the argument on a terminal if it is missing. */
  choose?: Chooser
  /** Whether an optional argument is needed with these options, and so chosen. @default never */
  isNeeded?(options: Readonly<Record<string, unknown>>): boolean
}

/** Lets the user choose the values of an argument, where a picker can open. @param given the arguments before it @throws Stopped if the user cancels */
export type Chooser = (
  context: Context,
  given: readonly (string | undefined)[],
  options: { adminToken?: string | undefined },
) => Promise<readonly string[]>

/** One option, in commander's notation: `--limit <n>`. */
export interface OptionSpec {
  flags: string
  description: string
  /** Parses the text into the value. @throws Failure exit 2 */
  parse?: ((text: string, previous: never) => unknown) | undefined
  default?: unknown
  /** Not shown in help. */
  hidden?: boolean
  /** Heading of the options that it belongs to in help. @default 'Options' */
  heading?: string
}

/** A command: its help, what its errors begin with, and its action. */
// biome-ignore lint/suspicious/noExplicitAny: the options differ per command; commander fills them
export interface Command<Options = any> {
  /** Words that name it, such as `forms list`. */
  path: readonly [string] | readonly [noun: string, verb: string]
  /** One line of help. */
  summary: string
  /** Not shown in help. */
  hidden?: boolean
  /** Longer text, shown in the help of the command. */
  description?: string
  arguments?: readonly ArgumentSpec[]
  options?: readonly OptionSpec[]
  /** At least one command line, each with a description. */
  examples: readonly (readonly [commandLine: string, does: string])[]
  /** Possible exit codes besides 0, 2 and 130. */
  exits: readonly ExitCode[]
  /** Names that `--json FIELDS` accepts; `answer.QUESTION` stands for the answer to any question. Without it, none are accepted. */
  fields?: readonly string[]
  /** Asks before it deletes something, so that its help shows `--yes`. */
  asks?: boolean
  /** Passes everything after the command to another program unchanged. Global options must come before the command. */
  passThrough?: boolean
  /** Its only argument is a command line, which must follow `--`. */
  trailingCommand?: boolean
  /** Returns what a command line asks for, such as `close form 8hTq2LmVx4Rb`: errors of the service begin with it. */
  task?(args: readonly string[], options: Options): string
  /** Checks the options, before the user chooses an argument that is missing. @throws Failure exit 2 */
  check?(context: Context, options: Options): void
  /** Runs the command. Exits with 0 unless it resolves to another code or throws. */
  run(
    context: Context,
    args: readonly (string | undefined)[],
    options: Options,
  ): Promise<number | undefined> | Promise<void>
}

/** Returns the command; infers the type of the options that `run` receives. */
export function defineCommand<Options>(command: Command<Options>): Command<Options> {
  return command
}

/** Returns forms as a task names them: `form A`, `forms A, B`, or `the forms` if none is named. */
export const formsNamed = (forms: readonly string[] = []): string =>
  forms.length === 0 ? 'the forms' : `${forms.length === 1 ? 'form' : 'forms'} ${forms.join(', ')}`

const ALIASES: Readonly<Record<string, string>> = { list: 'ls', delete: 'rm', remove: 'rm' }

/** Returns the short name of a command in a group, such as `ls` for `forms list`. */
export function aliasOf([, verb]: Command['path']): string | undefined {
  return verb === undefined ? undefined : ALIASES[verb]
}

/** Returns the command that `words` begin with: of `sync` and `sync audit`, the one with the longer path. */
export function commandNamedBy(catalog: readonly Command[], words: readonly string[]): Command | undefined {
  const named = catalog.filter((candidate) => isNamedBy(candidate, words))
  return named.find(({ path }) => path.length > 1) ?? named[0]
}

/** Whether `words` begin with the path of the command, or with its alias. */
function isNamedBy({ path }: Command, words: readonly string[]): boolean {
  const [noun, verb] = path
  const [first, second] = words
  return (
    first === noun && (verb === undefined || (second !== undefined && [verb, aliasOf(path)].includes(second)))
  )
}
