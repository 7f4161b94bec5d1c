import { COMMANDS } from './all-commands.ts'
import { argumentsOf, type Command, isGroup } from './command.ts'
import {
  missingArgument,
  unexpectedArgument,
  unknownCommand,
  unknownOption,
} from './command-line/mistakes.ts'
import { type Line, readRest, readWords } from './command-line/words.ts'
import { Context } from './context.ts'
import { usage } from './failure.ts'
import { commandTree } from './help/command-tree.ts'
import { bareHelp, commandHelp, groupHelp, rootHelp } from './help/help.ts'
import type { HelpStyle } from './help/layout.ts'
import type { Runtime } from './runtime.ts'
import { version } from './version.ts'

/** A parsed command line: the command with its arguments and options. */
export interface Invocation {
  command: Command
  context: Context
  args: (string | undefined | string[])[]
  options: Record<string, unknown>
}

/**
 * Parses the command line. Returns the text of help or the version if it asks for that. @throws Failure exit 2
 * @param canChoose whether the user can choose an argument that is missing
 */
export function readCommandLine(
  argv: readonly string[],
  runtime: Runtime,
  style: HelpStyle,
  canChoose: () => boolean,
): Invocation | string {
  const line = readWords(argv, COMMANDS)
  const { global, words, rest, command, isHelp } = line
  if (global.version) return `${version}\n`
  const help = (): string => (global.json ? treeOf(line) : helpOf(line, style))
  if (!command) {
    if (words.length > 1 || (words[0] !== undefined && !isGroup(COMMANDS, words[0])))
      throw unknownCommand(words)
    if (isHelp || rest[0] === undefined) return help()
    throw unknownOption(rest[0], words)
  }
  const { args, options, unknown } = readRest(line, command)
  if (isHelp) return help()
  if (unknown !== undefined) throw unknownOption(unknown, words, command)
  const takes = argumentsOf(command)
  const missing = takes.findIndex(({ isRequired }, at) => isRequired && args[at] === undefined)
  if (missing >= 0 && !(canBeChosen(command, args.length) && canChoose()))
    throw missingArgument(command, missing)
  const excess = takes.at(-1)?.isMany ? undefined : args[takes.length]
  if (excess !== undefined)
    throw unexpectedArgument(command, excess, argv[argv.indexOf(excess) - 1] === '--json')
  const { json } = global
  const fields = jsonFields(json === true ? undefined : json, command.fields)
  if (command.trailingCommand && args.length > line.trailing.length)
    throw usage(
      `unexpected argument "${args[0]}"`,
      "put the handler's command after --, such as: -- node app.js",
    )
  return {
    command,
    args: takes.map(({ isMany }, at) => (isMany ? args.slice(at) : args[at])),
    options: { ...options, ...global },
    context: new Context(runtime, { ...global, json: json !== undefined, fields }),
  }
}

/** Whether the user can choose all arguments that a command requires after those that are given. */
export function canBeChosen(command: Command, given: number): boolean {
  const missing = argumentsOf(command)
    .slice(given)
    .filter(({ isRequired }) => isRequired)
  return missing.length > 0 && missing.every(({ choose }) => choose !== undefined)
}

/**
 * Returns the fields of `--json=FIELDS`, in the order given.
 * @throws Failure exit 2 for a field that the command does not have
 */
function jsonFields(
  text: string | undefined,
  known: readonly string[] | undefined,
): readonly string[] | undefined {
  if (text === undefined) return undefined
  if (known === undefined) throw usage(`--json has no fields here, got "${text}"`, 'pass --json alone')
  const fields = [...new Set(text.split(',').map((field) => field.trim()))]
  const unknown = fields.find((field) => !isField(field, known))
  if (unknown === undefined) return fields
  throw usage(`unknown field "${unknown}" in --json`, `fields: ${known.join(', ')}`)
}

/** Whether `field` is one of `known`, in which `answer.QUESTION` stands for the answer to any question. */
const isField = (field: string, known: readonly string[]): boolean =>
  known.includes(field) || (known.includes('answer.QUESTION') && /^answer\.(?!\*$).+/.test(field))

/** @param show the help of the program, if the words name nothing */
function helpOf({ words, isHelp, command }: Line, style: HelpStyle): string {
  if (command) return commandHelp(command, style)
  if (words[0] !== undefined) return groupHelp(words[0], commandsOf(words[0]), style)
  return isHelp ? rootHelp(COMMANDS, style) : bareHelp(COMMANDS, style)
}

const commandsOf = (noun: string): readonly Command[] => COMMANDS.filter(({ path }) => path[0] === noun)

/** Returns the commands that the words name, or all of them, as JSON. */
function treeOf({ words: [noun], command }: Line): string {
  // Those of a group, also where its first word is a command of its own.
  const isOne = command && (command.path.length > 1 || !isGroup(COMMANDS, noun))
  const entries = isOne ? [command] : noun === undefined ? COMMANDS : commandsOf(noun)
  return `${JSON.stringify(commandTree(entries), null, 2)}\n`
}
