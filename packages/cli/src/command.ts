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
  /** Parses the text into the value. @throws Failure exit 2 */
  parse?: ((text: string, previous: never) => unknown) | undefined
  default?: unknown
  /** Not shown in help. */
  hidden?: boolean
}

/** A command: its help and its action. */
export interface CommandSpec<Options = Record<string, unknown>> {
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
  /** Its only argument is a command line, which must stand after `--`. */
  trailingCommand?: boolean
  /** Runs the command. Exits with 0 unless it resolves to another code or throws. */
  run(
    context: Context,
    args: readonly (string | undefined)[],
    options: Options,
  ): Promise<number | undefined> | Promise<void>
}

/** Returns the command; infers the type of the options that `run` receives. */
export function defineCommand<Options>(spec: CommandSpec<Options>): CommandSpec<Options> {
  return spec
}

/** A command and its place in the program. */
export interface CatalogEntry {
  /** Words that name it, such as `forms list`. */
  path: readonly [string] | readonly [noun: string, verb: string]
  /** One line of help. */
  summary: string
  /** Not shown in help. */
  hidden?: boolean
  // biome-ignore lint/suspicious/noExplicitAny: the options differ per command; commander fills them
  spec: CommandSpec<any>
}

const ALIASES: Readonly<Record<string, string>> = { list: 'ls', delete: 'rm', remove: 'rm' }

/** Returns the short name of a command in a group, such as `ls` for `forms list`. */
export function aliasOf([, verb]: CatalogEntry['path']): string | undefined {
  return verb === undefined ? undefined : ALIASES[verb]
}

/** Whether `words` begin with the path of the command, or with its alias. */
export function isNamedBy(entry: CatalogEntry, words: readonly string[]): boolean {
  const [noun, verb] = entry.path
  return words[0] === noun && (verb === undefined || words[1] === verb || isAlias(words[1], entry))
}

const isAlias = (word: string | undefined, { path }: CatalogEntry): boolean =>
  word !== undefined && word === aliasOf(path)
