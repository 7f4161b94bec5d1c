import type { Context } from './context.ts'
import type { ExitCode } from './exit.ts'
import { usage } from './failure.ts'

export interface ArgumentSpec {
  /** In the notation of a usage: `<form>`, `[webhook]`, `[args...]`. */
  name: string
  description: string
  /** Lets the user choose the argument on a terminal if it is missing. */
  choose?: Chooser
  /** An optional argument is needed, and so chosen, unless one of these options is given. @default it never is */
  unless?: readonly string[]
}

/** Lets the user choose the values of an argument, where a picker can open. @param given the arguments before it @throws Stopped if the user cancels */
export type Chooser = (
  context: Context,
  given: readonly (string | undefined)[],
  options: { adminToken?: string | undefined },
) => Promise<readonly string[]>

/** One option: the parser, help, completion and `--help --json` read it. */
export interface OptionSpec {
  /** Its long name, such as `limit`, or `no-scrub` for one that is on without it. */
  name: string
  /** Its short name, such as `L`. */
  short?: string
  /** The name of its value in help. Without one, it has no value. */
  value?: string
  /** The value may be left out; if it is there, it follows `=`. */
  isOptional?: true
  /** It can be repeated, and the values are collected; `words`: it takes all words up to the next option. */
  many?: true | 'words'
  description: string
  /** The only values that are accepted. */
  choices?: readonly string[]
  /** Parses the text into the value, or into several of an option with `many`. @param option its name with `--` @throws Failure exit 2 */
  parse?(text: string, option: string): unknown
  /** What applies without it, in words where that depends on something else. */
  default?: number | string
  /** How help puts the default, empty where the description says it. @default the default itself */
  defaultText?: string
  /** Help says that the command needs it. */
  isRequired?: true
  /** Heading of the options that it belongs to in help. @default 'Options' */
  heading?: string
}

/** Returns the arguments of a command, by what their notation says. */
export const argumentsOf = ({ arguments: takes = [] }: Command) =>
  (takes as readonly ArgumentSpec[]).map((spec) => ({
    ...spec,
    shown: spec.name,
    name: spec.name.replace(/[<>[\].]/g, ''),
    isRequired: spec.name.startsWith('<'),
    isMany: spec.name.includes('...'),
  }))

/** The options that every command accepts, before or after its name. */
export const GLOBAL_OPTIONS = [
  { name: 'base-url', value: 'url', description: 'service URL', default: 'FORMWIRE_BASE_URL or the profile' },
  {
    name: 'profile',
    value: 'name',
    description: 'use the key and server of a stored profile (overrides FORMWIRE_API_KEY)',
  },
  {
    name: 'json',
    value: 'fields',
    isOptional: true,
    description: 'print one JSON document (NDJSON for tails), or only these fields of it, such as id,title',
  },
  { name: 'yes', short: 'y', description: 'skip the confirmation before deleting' },
  { name: 'quiet', short: 'q', description: 'suppress notes and progress; errors are still printed' },
  { name: 'no-wait', description: 'when rate limited, exit with 5 instead of waiting' },
  { name: 'verbose', description: 'print each request, and method, path and request id with an error' },
  { name: 'no-color', description: 'disable colour (NO_COLOR and FORCE_COLOR also apply)' },
  { name: 'version', short: 'v', description: 'print the version' },
  { name: 'help', short: 'h', description: 'show help' },
] as const satisfies readonly OptionSpec[]

/** Returns an option as a usage shows it, such as `-L, --limit <n>`. */
export function flagsOf({ name, short, value, isOptional, many }: OptionSpec): string {
  const shown = `${value}${many === 'words' ? '...' : ''}`
  const placeholder = value === undefined ? '' : isOptional ? `[=${shown}]` : ` <${shown}>`
  return `${short === undefined ? '' : `-${short}, `}--${name}${placeholder}`
}

export function descriptionOf(option: OptionSpec): string {
  const { defaultText = option.default ?? '' } = option
  return [
    option.description,
    ...(option.many ? ['; repeatable'] : []),
    ...(defaultText === '' ? [] : [` (default: ${defaultText})`]),
    ...(option.isRequired ? [' (required)'] : []),
  ].join('')
}

type CamelCase<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name

type One<Spec> = Spec extends { parse(...args: never[]): infer Value }
  ? Value
  : Spec extends { choices: readonly (infer Choice)[] }
    ? Choice
    : string

type ValueOf<Spec> = Spec extends { value: string }
  ? Spec extends { many: true | 'words' }
    ? One<Spec> extends readonly (infer Value)[]
      ? Value[]
      : One<Spec>[]
    : One<Spec>
  : Spec extends { name: `no-${string}` }
    ? false
    : boolean

/** The options of a command as they are parsed: those that are given, by their names in camel case. */
export type OptionsOf<Specs extends readonly OptionSpec[]> = {
  [Spec in Specs[number] as CamelCase<Spec['name'] extends `no-${infer Name}` ? Name : Spec['name']>]?:
    | ValueOf<Spec>
    | undefined
}

/** The arguments of a command as they are parsed. */
type ArgumentsOf<Specs extends readonly ArgumentSpec[]> = {
  [At in keyof Specs]: Specs[At]['name'] extends `${string}...${string}`
    ? readonly string[]
    : Specs[At]['name'] extends `<${string}`
      ? string
      : string | undefined
}

/** A command: its help, what its errors begin with, and its action. */
interface Definition<Arguments extends readonly ArgumentSpec[], Options extends readonly OptionSpec[]> {
  /** Words that name it, such as `forms list`. */
  path: readonly [string] | readonly [noun: string, verb: string]
  /** One line of help. */
  summary: string
  /** Not shown in help. */
  hidden?: boolean
  /** Longer text, shown in the help of the command. */
  description?: string
  arguments?: Arguments
  options?: Options
  /** At least one command line, each with what it does. */
  examples: Readonly<Record<string, string>>
  /** Possible exit codes besides 0, 2 and 130. */
  exits: readonly ExitCode[]
  /** Names that `--json=FIELDS` accepts; `answer.QUESTION` stands for the answer to any question. Without it, none are accepted. */
  fields?: readonly string[]
  /** Asks before it deletes something, so that its help shows `--yes`. */
  asks?: boolean
  /** Passes everything after the command to another program unchanged. Global options must come before the command. */
  passThrough?: boolean
  /** Its only argument is a command line, which must follow `--`. */
  trailingCommand?: boolean
  /** Returns what a command line asks for, such as `close form guestvoice01`: errors of the service begin with it. */
  task?(args: readonly string[], options: OptionsOf<Options>): string
  /** Checks the options, before the user chooses an argument that is missing. @throws Failure exit 2 */
  check?(context: Context, options: OptionsOf<Options>): void
  /** Runs the command. Exits with 0 unless it resolves to another code or throws. */
  run(
    context: Context,
    args: ArgumentsOf<Arguments>,
    options: OptionsOf<Options>,
  ): Promise<number | undefined> | Promise<void>
}

/** A command whose arguments and options were parsed by its specification. */
// biome-ignore lint/suspicious/noExplicitAny: they differ per command
export type Command = Definition<any, any>

/** Returns the command; infers what `run` receives from its arguments and options. */
export const defineCommand = <
  const Arguments extends readonly ArgumentSpec[] = [],
  const Options extends readonly OptionSpec[] = [],
>(
  command: Definition<Arguments, Options>,
): Command => command

/** Returns forms as a task names them: `form A`, `forms A, B`, or `the forms` if none is named. */
export const formsNamed = (forms: readonly string[] = []): string =>
  forms.length === 0 ? 'the forms' : `${forms.length === 1 ? 'form' : 'forms'} ${forms.join(', ')}`

/** Returns the first items on one line, and whether there are more. */
export const firstOf = (items: readonly (string | number)[], count: number): string =>
  items.slice(0, count).join(', ') + (items.length > count ? ', …' : '')

/** Returns the forms that arguments and `--all` choose. @throws Failure exit 2 */
export function chosenForms(given: readonly string[], all = false): readonly string[] | 'all' {
  if (all && given.length > 0) throw usage('--all cannot be combined with form ids', 'remove one of them')
  if (all) return 'all'
  if (given.length === 0) throw usage('missing form id', 'name one or more forms, or use --all')
  if (given.includes('')) throw usage('form id must not be empty')
  return given
}

const ALIASES: Readonly<Record<string, string>> = { list: 'ls', delete: 'rm', remove: 'rm' }

/** Returns the short name of a command in a group, such as `ls` for `forms list`. */
export function aliasOf([, verb]: Command['path']): string | undefined {
  return verb === undefined ? undefined : ALIASES[verb]
}

/** Returns the command that `words` begin with: of `sync` and `sync status`, the one with the longer path. */
export function commandNamedBy(catalog: readonly Command[], words: readonly string[]): Command | undefined {
  const named = catalog.filter(({ path }) => {
    const [noun, verb] = path
    const [first, second = ''] = words
    return first === noun && (verb === undefined || [verb, aliasOf(path)].includes(second))
  })
  return named.find(({ path }) => path.length > 1) ?? named[0]
}

/** Whether the word names a group of commands. */
export const isGroup = (catalog: readonly Command[], word: string | undefined): boolean =>
  catalog.some(({ path }) => path.length > 1 && path[0] === word)
