import { CommanderError, Option, Command as Parser } from 'commander'
import { COMMANDS } from './all-commands.ts'
import { type Command, commandNamedBy, type OptionSpec } from './command.ts'
import { GLOBAL_OPTIONS } from './command-line/global-options.ts'
import { jsonFields } from './command-line/json-fields.ts'
import { commandWords, longName, normalized, positionals, wantsJson } from './command-line/words.ts'
import { Context, type GlobalOptions } from './context.ts'
import { bothGiven, usage } from './failure.ts'
import { commandTree } from './help/command-tree.ts'
import { bareHelp, commandHelp, groupHelp, rootHelp, usageOf } from './help/help.ts'
import type { HelpStyle } from './help/layout.ts'
import type { Runtime } from './runtime.ts'
import { version } from './version.ts'

/** A parsed command line: the command with its arguments and options. */
export interface Invocation {
  command: Command
  context: Context
  args: (string | undefined)[]
  options: Record<string, unknown>
}

/** Receives the help and version texts of commander. Its errors are thrown, not written. */
export interface HelpSink {
  write(text: string): void
  style: HelpStyle
  /** Whether the user can choose an argument that is missing. */
  canChoose(): boolean
}

/**
 * Parses the command line. Returns undefined when it has written help or the version instead.
 * @throws CommanderError for an invalid command line
 */
export function readCommandLine(
  given: readonly string[],
  runtime: Runtime,
  sink: HelpSink,
): Invocation | undefined {
  const argv = normalized(given, COMMANDS)
  const words = commandWords(argv)
  let invocation: Invocation | undefined
  const help = (show = rootHelp): string =>
    wantsJson(argv) ? treeOf(words) : helpOf(words, sink.style, show)
  const program = buildProgram(
    words,
    {
      write: (text) => sink.write(text),
      help: () => help(),
      isChosen: isMissing(argv, words) && sink.canChoose(),
    },
    (command, args, options) => {
      const fields = jsonFields(options.jsonFields as string | undefined, command.fields)
      invocation = {
        command,
        args: command.trailingCommand ? trailingCommand(argv, args) : args,
        options,
        context: new Context(runtime, { ...(options as GlobalOptions), fields }),
      }
    },
  )
  try {
    program.parse(isKnown(words) ? [...argv] : argv.filter((word) => word !== '--help' && word !== '-h'), {
      from: 'user',
    })
  } catch (error) {
    const code = error instanceof CommanderError ? error.code : ''
    if (code === 'commander.unknownCommand') throw unknownCommand(words, similarIn(error as Error)) ?? error
    if (code === 'commander.unknownOption') throw unknownOption(error as Error, words) ?? error
    if (code === 'commander.missingArgument') throw missingArgument(error as Error, words) ?? error
    if (code === 'commander.excessArguments') throw unexpectedArgument(argv, words) ?? error
    if (code === 'commander.help') sink.write(help(bareHelp))
    else if (!HELP_AND_VERSION.has(code)) throw error
  }
  return invocation
}

/** Whether a command line lacks arguments that its command requires, and the user can choose all of them. */
function isMissing(argv: readonly string[], words: readonly string[]): boolean {
  const entry = namedCommand(words)
  if (!entry) return false
  const given = positionals(argv, [...(entry.options ?? []), ...GLOBAL_OPTIONS]).length - entry.path.length
  return canBeChosen(entry, given)
}

const HELP_AND_VERSION: ReadonlySet<string> = new Set(['commander.helpDisplayed', 'commander.version'])

/** Returns the words after `--`. @throws Failure exit 2 for words before it */
function trailingCommand(argv: readonly string[], [words]: readonly unknown[]): string[] {
  const end = argv.indexOf('--')
  const trailing = end < 0 ? [] : argv.slice(end + 1)
  const before = (words as string[]).length - trailing.length
  if (before === 0) return trailing
  throw usage(
    `unexpected argument "${(words as string[])[0]}"`,
    "put the handler's command after --, such as: -- node app.js",
  )
}

/** Whether the words name the program, a group or a command. */
function isKnown(words: readonly string[]): boolean {
  return words.length === 0 || namedCommand(words) !== undefined || (words.length === 1 && isGroup(words[0]))
}

const isGroup = (word: string | undefined): boolean =>
  COMMANDS.some(({ path }) => path.length > 1 && path[0] === word)

/** Returns the similar words that commander suggests. */
function similarIn({ message }: Error): string[] {
  return /Did you mean (?:one of )?(.*)\?/.exec(message)?.[1]?.split(', ') ?? []
}

const didYouMean = (paths: readonly (readonly string[])[]): string =>
  `Did you mean ${paths.map((path) => `formwire ${path.join(' ')}`).join(' or ')}?`

/** The error for a word that is the command of a group, or an unknown subcommand, such as an id. */
function unknownCommand(
  [noun = '', word = '']: readonly string[],
  similar: readonly string[],
): Error | undefined {
  if (!isGroup(noun)) {
    const elsewhere = ELSEWHERE[noun]
    if (elsewhere) return usage(`unknown command '${noun}'`, didYouMean(elsewhere))
    const meant = COMMANDS.map(({ path }) => path).filter(([, verb]) => verb === noun)
    return similar.length > 0 || meant.length === 0
      ? undefined
      : usage(`unknown command '${noun}'`, didYouMean(meant))
  }
  const unknown = `unknown command '${noun} ${word}'`
  const isInTheApp = noun === 'forms' && IN_THE_APP.test(word)
  const entries = COMMANDS.filter(({ path }) => path[0] === noun)
  const synonyms = entries.flatMap(({ path: [, verb] }) => (verb && SAME[word]?.includes(verb) ? [verb] : []))
  const meant = synonyms.length > 0 ? synonyms : similar
  if (meant.length > 0 && !isInTheApp) return usage(unknown, didYouMean(meant.map((verb) => [noun, verb])))
  const ofForm = entries.find(
    ({ path, arguments: takes }) => /^(?:list|get)$/.test(path[1] ?? '') && takes?.[0]?.name === '<form>',
  )
  return usage(
    unknown,
    [
      `commands of formwire ${noun}: ${entries.map(({ path }) => path[1]).join(', ')}`,
      ...(ofForm && FORM_ID.test(word)
        ? [`If it is the id of a form, run "formwire ${noun} ${ofForm.path[1]} ${word}".`]
        : []),
      ...(isInTheApp ? ['The API can neither create nor delete forms: do that in the app.'] : []),
    ].join('\n'),
  )
}

/** Commands of similar programs, such as stripe, and what they are called here. */
const ELSEWHERE: Readonly<Record<string, readonly (readonly string[])[]>> = {
  logs: [
    ['deliveries', 'tail'],
    ['responses', 'tail'],
  ],
  events: [['trigger']],
  event: [['trigger']],
}

/** Verbs of similar programs, such as gh, and those of this one. */
const SAME: Readonly<Record<string, readonly string[]>> = {
  view: ['get', 'show'],
  show: ['get'],
  describe: ['get', 'show'],
  get: ['show'],
  follow: ['tail'],
  watch: ['tail'],
  download: ['export'],
}

const FORM_ID = /^\w{12}$/
const IN_THE_APP = /^(?:create|new|add|delete|remove|rm)$/

/** Options of different commands for the same thing. */
const SAME_OPTIONS: readonly (readonly string[])[] = [
  ['--key-stdin', '--secret-stdin', '--with-key'],
  ['--output', '--out'],
  ['--data', '--from-file'],
  ['--limit', '--count', '--sample'],
  ['--webhook-url', '--forward-to', '--public-url'],
]

/** The error for an option that the command has by another name, or that only other commands have. */
function unknownOption({ message }: Error, words: readonly string[]): Error | undefined {
  const unknown = /'(--[\w-]+)/.exec(message)?.[1]
  const named = namedCommand(words)
  if (unknown === undefined || !named) return undefined
  const has = ({ options = [] }: Command, name: string): boolean =>
    options.some(({ flags }) => longName(flags) === name)
  const alike = SAME_OPTIONS.find((names) => names.includes(unknown))?.find((name) => has(named, name))
  const others = COMMANDS.filter((entry) => has(entry, unknown)).map(
    ({ path }) => `formwire ${path.join(' ')}`,
  )
  const problem = `unknown option '${unknown}'`
  if (alike !== undefined) return usage(problem, `formwire ${named.path.join(' ')} calls it ${alike}`)
  if (others.length === 0 || similarIn({ message } as Error).length > 0) return undefined
  return usage(problem, `It is an option of ${others.join(', ')}.`)
}

/** The error for an argument that is missing. */
function missingArgument({ message }: Error, words: readonly string[]): Error | undefined {
  const entry = namedCommand(words)
  if (!entry) return undefined
  const [, missing = ''] = /'(.*)'/.exec(message) ?? []
  const argument = entry.arguments?.find(({ name }) => name.replace(/[<>.]/g, '') === missing)
  return usage(
    message.replace(/^error: /, ''),
    [`Usage: ${usageOf(entry)}`, ...(argument ? [`${missing}: ${argument.description}`] : [])].join('\n'),
  )
}

/** The error for an argument that the command does not take. */
function unexpectedArgument(argv: readonly string[], words: readonly string[]): Error | undefined {
  const entry = namedCommand(words)
  if (!entry) return undefined
  const { path, arguments: takes = [], options = [] } = entry
  const names = takes.map(({ name }) => name)
  const end = argv.indexOf('--')
  const given = [
    ...positionals(argv, [...options, ...GLOBAL_OPTIONS]),
    ...(end < 0 ? [] : argv.slice(end + 1)),
  ]
  const command = ['formwire', ...path].join(' ')
  return usage(
    `unexpected argument "${given[path.length + names.length]}"`,
    names.length === 0
      ? `${command} has no arguments. Run "${command} --help" for its options.`
      : `Usage: ${command} ${names.join(' ')}. Put quotation marks around a value with spaces.`,
  )
}

function namedCommand(words: readonly string[]): Command | undefined {
  return commandNamedBy(COMMANDS, words)
}

/** @param show the help of the program, if the words name nothing */
function helpOf(words: readonly string[], style: HelpStyle, show: typeof rootHelp): string {
  const named = namedCommand(words)
  if (named) return commandHelp(named, style)
  const entries = COMMANDS.filter(({ path }) => path.length > 1 && path[0] === words[0])
  return entries.length > 0 ? groupHelp(words[0] ?? '', entries, style) : show(COMMANDS, style)
}

/** Returns the commands that the words name, or all of them, as JSON. */
function treeOf(words: readonly string[]): string {
  const named = namedCommand(words)
  const [first, second] = named?.path ?? words
  // Those of a group, also where its first word is a command of its own.
  const isOne = named !== undefined && (second !== undefined || !isGroup(first))
  const entries = isOne ? [named] : COMMANDS.filter(({ path }) => path[0] === first)
  return `${JSON.stringify(commandTree(entries.length > 0 ? entries : COMMANDS), null, 2)}\n`
}

/** Returns the command line that shows the usage of the command in `argv`, such as `formwire forms list --help`. */
export function helpCommandLine(argv: readonly string[]): string {
  const words = commandWords(argv)
  const path = namedCommand(words)?.path ?? (isGroup(words[0]) ? [words[0]] : [])
  return ['formwire', ...path, '--help'].join(' ')
}

type OnRun = (entry: Command, args: (string | undefined)[], options: Record<string, unknown>) => void

/**
 * Builds as much of the program as the words need: the command that they name, or else the names of all commands, for
 * suggestions after a typing error.
 */
function buildProgram(
  words: readonly string[],
  texts: { write(text: string): void; help(): string; isChosen: boolean },
  onRun: OnRun,
): Parser {
  const configure = (command: Parser): Parser =>
    command
      .exitOverride()
      .configureOutput({
        writeOut: (text) => texts.write(text),
        // Without a subcommand commander writes help here and throws.
        writeErr: () => undefined,
        // The help has colours only where they are wanted.
        getOutHasColors: () => true,
      })
      .configureHelp({ formatHelp: texts.help })
      .helpOption('-h, --help')
      .helpCommand(false)
  const program = configure(new Parser('formwire')).version(version, '-v, --version')
  for (const option of GLOBAL_OPTIONS) if (!SPECIAL.test(option.flags)) program.addOption(parsed(option))
  program.addOption(new Option('--json')).addOption(new Option('--json-fields <fields>'))
  const named = namedCommand(words)
  const nouns = new Map<string, Parser>()
  for (const entry of named ? [named] : COMMANDS) {
    const [first, second] = entry.path
    let parent = program
    if (second !== undefined) {
      parent = nouns.get(first) ?? configure(new Parser(first))
      if (!nouns.has(first)) program.addCommand(parent)
      nouns.set(first, parent)
    }
    const command = configure(new Parser(second ?? first))
    parent.addCommand(command, { hidden: entry.hidden === true })
    // Of `sync`, `sync status` and `sync audit`, which share it.
    if (second === undefined) nouns.set(first, command)
    if (entry === named) fill(command, entry, texts.isChosen, onRun)
  }
  return program
}

/** Global options that commander brings, or whose value is a separate word. */
const SPECIAL = /--(?:help|version|json)\b/

/** Whether the user can choose all arguments that a command requires after those that are given. */
export function canBeChosen({ arguments: takes = [] }: Command, given: number): boolean {
  const missing = takes.slice(given).filter(({ name }) => name.startsWith('<'))
  return missing.length > 0 && missing.every(({ choose }) => choose !== undefined)
}

/** @param isChosen whether required arguments are missing, and chosen afterwards */
function fill(command: Parser, entry: Command, isChosen: boolean, onRun: OnRun): void {
  for (const { name, description } of entry.arguments ?? [])
    command.argument(isChosen ? name.replace(/^<(.*)>$/, '[$1]') : name, description)
  for (const option of entry.options ?? []) {
    command.addOption(parsed(option))
    const [, name] = /^--no-([\w-]+)$/.exec(option.flags) ?? []
    if (name !== undefined) refuseBoth(command, name)
  }
  command.action(() => {
    onRun(entry, command.processedArgs as (string | undefined)[], command.optsWithGlobals())
  })
}

/** @throws Failure exit 2, when the command is parsed, for an option together with its negation */
function refuseBoth(command: Parser, name: string): void {
  const given = new Set<string>()
  for (const option of [name, `no-${name}`])
    command.on(`option:${option}`, () => {
      if (given.add(option).size === 2) throw bothGiven(name)
    })
}

function parsed({ flags, description, parse, default: value, hidden }: OptionSpec): Option {
  const option = new Option(flags, description).hideHelp(hidden === true)
  if (parse) option.argParser(parse as never)
  if (value !== undefined) option.default(value)
  return option
}
