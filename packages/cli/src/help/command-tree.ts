import { aliasOf, type Command, type OptionSpec } from '../command.ts'
import { GLOBAL_OPTIONS } from '../command-line/global-options.ts'
import { EXIT_MEANING, type ExitCode } from '../exit.ts'
import { version } from '../version.ts'
import { exitCodesOf, PROGRAM_SUMMARY, usageOf } from './help.ts'
import { NOUNS } from './topics.ts'

/** `formwire --help --json`: the program and its commands, or only those that the command line names. */
export interface ProgramTree {
  name: 'formwire'
  version: string
  summary: string
  /** The options that every command accepts, before or after its name. */
  global_options: OptionNode[]
  /** Every exit code of the program. */
  exit_codes: { code: ExitCode; meaning: string }[]
  commands: (CommandNode | GroupNode)[]
}

/** A word that names no command by itself, such as `forms`. */
export interface GroupNode {
  name: string
  summary: string
  commands: CommandNode[]
}

/** A command. */
export interface CommandNode {
  name: string
  /** Another name in the same group, such as `ls`. */
  alias: string | null
  usage: string
  summary: string
  description: string | null
  arguments: ArgumentNode[]
  options: OptionNode[]
  /** Names that `--json FIELDS` accepts, or null if it accepts none. `answer.QUESTION` stands for the answer to any question. */
  json_fields: readonly string[] | null
  examples: { command: string; description: string }[]
  exit_codes: ExitCode[]
}

/** A positional argument. */
interface ArgumentNode {
  name: string
  required: boolean
  /** Whether it can be given several times. */
  variadic: boolean
  description: string
}

/** What the value of an option is. An option without a value is a `boolean`. */
type ValueType = 'boolean' | 'integer' | 'duration' | 'time' | 'url' | 'path' | 'string'

/** An option. */
export interface OptionNode {
  /** The long name, such as `--limit`. */
  name: string
  /** The short name, such as `-L`. */
  short: string | null
  /** The name of the value in the usage, such as `n`, or null if there is none. */
  value: string | null
  /** Whether the option can stand without its value, as `--json` can. */
  value_optional: boolean
  type: ValueType
  /** The only values that are accepted. */
  choices: readonly string[] | null
  /** As a number or boolean where the type is one; as text where the default depends on something else. */
  default: boolean | number | string | null
  required: boolean
  repeatable: boolean
  description: string
}

/** Returns the tree of `entries`, which may be part of the catalog. */
export function commandTree(entries: readonly Command[]): ProgramTree {
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
    global_options: GLOBAL_OPTIONS.map(optionNode),
    exit_codes: Object.entries(EXIT_MEANING).map(([code, meaning]) => ({
      code: Number(code) as ExitCode,
      meaning,
    })),
    commands,
  }
}

function commandNode(command: Command): CommandNode {
  const { path, summary, description = null, fields = null, examples, exits } = command
  const [noun, verb] = path
  return {
    name: verb ?? noun,
    alias: aliasOf(path) ?? null,
    usage: usageOf(command),
    summary,
    description,
    arguments: (command.arguments ?? []).map(({ name, description }) => ({
      name: name.replace(/[<>[\]]|\.{3}/g, ''),
      required: name.startsWith('<'),
      variadic: name.includes('...'),
      description,
    })),
    options: (command.options ?? []).filter(({ hidden }) => !hidden).map(optionNode),
    json_fields: fields,
    examples: examples.map(([line, does]) => ({ command: line, description: does })),
    exit_codes: exitCodesOf(exits).map(([code]) => code),
  }
}

const FLAGS =
  /^(?:(?<short>-\w), )?(?<name>--[\w-]+)(?: (?<open>[<[])(?<value>[^>\].]+)(?<dots>\.{3})?[>\]])?$/

/** What values with these names in the usage are. */
const TYPES: Readonly<Record<string, ValueType>> = {
  n: 'integer',
  span: 'duration',
  time: 'time',
  url: 'url',
  file: 'path',
  path: 'path',
  dir: 'path',
  directory: 'path',
}

/** Returns the parts of an option. @throws Error for flags in another notation */
function optionNode({ flags, description, parse, default: value }: OptionSpec): OptionNode {
  const parts = FLAGS.exec(flags)?.groups
  if (!parts) throw new Error(`flags must be "-s, --long <value>" or a part of it, got "${flags}"`)
  const type = parts.value === undefined ? 'boolean' : (TYPES[parts.value] ?? 'string')
  return {
    name: parts.name as string,
    short: parts.short ?? null,
    value: parts.value ?? null,
    value_optional: parts.open === '[',
    type,
    choices: (parse as { choices?: readonly string[] } | undefined)?.choices ?? null,
    default: (value as string | undefined) ?? defaultOf(type, description),
    required: description.includes('(required)'),
    repeatable: parts.dots !== undefined || description.includes('repeatable'),
    description,
  }
}

/**
 * Returns the default that a description gives: `(default: 25)`, or `(default)` after one of several values. Of
 * `(default: 2s, up to 5s without new responses)` it is `2s`.
 */
function defaultOf(type: ValueType, description: string): OptionNode['default'] {
  if (type === 'boolean') return false
  const text = /\(default: ([^)]*)\)/.exec(description)?.[1]
  if (text === undefined) return /(\w+)(?:: [^;(]*)? \(default\)/.exec(description)?.[1] ?? null
  const word = /^([^\s,]+)(?:$|,| =)/.exec(text)?.[1] ?? text
  return type === 'integer' && /^\d+$/.test(word) ? Number(word) : word
}
