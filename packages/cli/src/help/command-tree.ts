import {
  aliasOf,
  argumentsOf,
  type Command,
  descriptionOf,
  GLOBAL_OPTIONS,
  type OptionSpec,
} from '../command.ts'
import { EXIT_MEANING, type ExitCode } from '../exit.ts'
import { version } from '../version.ts'
import { exitCodesOf, NOUNS, PROGRAM_SUMMARY, usageOf } from './help.ts'

/** `formwire --help --json`: the program and its commands, or only those that the command line names. */
export type ProgramTree = ReturnType<typeof commandTree>

/** A word that names no command by itself, such as `forms`. */
export interface GroupNode {
  name: string
  summary: string
  commands: CommandNode[]
}

export type CommandNode = ReturnType<typeof commandNode>

export type OptionNode = ReturnType<typeof optionNode>

/** Returns the tree of `entries`, which may be part of the catalog. */
export function commandTree(entries: readonly Command[]) {
  const commands: (CommandNode | GroupNode)[] = []
  const groups = new Map<string, GroupNode>()
  for (const entry of entries) {
    if (entry.hidden) continue
    const [noun, verb] = entry.path
    if (verb === undefined) {
      commands.push(commandNode(entry))
      continue
    }
    let group = groups.get(noun)
    if (!group) {
      group = { name: noun, summary: NOUNS[noun] ?? '', commands: [] }
      groups.set(noun, group)
      commands.push(group)
    }
    group.commands.push(commandNode(entry))
  }
  return {
    name: 'formwire',
    version,
    summary: PROGRAM_SUMMARY,
    /** The options that every command accepts, before or after its name. */
    global_options: GLOBAL_OPTIONS.map(optionNode),
    /** Every exit code of the program. */
    exit_codes: Object.entries(EXIT_MEANING).map(([code, meaning]) => ({
      code: Number(code) as ExitCode,
      meaning,
    })),
    commands,
  }
}

function commandNode(command: Command) {
  const { path, summary, description = null, fields = null, examples, exits } = command
  const [noun, verb] = path
  const options: readonly OptionSpec[] = command.options ?? []
  return {
    name: verb ?? noun,
    /** Another name in the same group, such as `ls`. */
    alias: aliasOf(path) ?? null,
    usage: usageOf(command),
    summary,
    description,
    arguments: argumentsOf(command).map(({ name, isRequired, isMany, description }) => ({
      name,
      required: isRequired,
      variadic: isMany,
      description,
    })),
    options: options.map(optionNode),
    /** Names that `--json=FIELDS` accepts, or null if it accepts none. `answer.QUESTION` stands for the answer to any question. */
    json_fields: fields,
    examples: Object.entries(examples).map(([line, does]) => ({ command: line, description: does })),
    exit_codes: exitCodesOf(exits).map(([code]) => code),
  }
}

/** What values with these names in the usage are. */
const TYPES: Readonly<Record<string, 'integer' | 'duration' | 'time' | 'url' | 'path'>> = {
  n: 'integer',
  span: 'duration',
  time: 'time',
  url: 'url',
  file: 'path',
  path: 'path',
  dir: 'path',
  directory: 'path',
}

function optionNode(option: OptionSpec) {
  const { name, short, value, isOptional, choices, many, isRequired } = option
  return {
    /** The long name, such as `--limit`. */
    name: `--${name}`,
    /** The short name, such as `-L`. */
    short: short === undefined ? null : `-${short}`,
    /** The name of the value in the usage, such as `n`, or null if there is none. */
    value: value ?? null,
    /** Whether the option can stand without its value, as `--json` can. */
    value_optional: isOptional === true,
    /** What the value is. An option without a value is a `boolean`. */
    type: value === undefined ? ('boolean' as const) : (TYPES[value] ?? ('string' as const)),
    /** The only values that are accepted. */
    choices: choices ?? null,
    /** As a number or boolean where the type is one; as text where the default depends on something else. */
    default: value === undefined ? false : (option.default ?? null),
    required: isRequired === true,
    repeatable: many !== undefined,
    description: descriptionOf(option),
  }
}
