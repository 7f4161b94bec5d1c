import { Command, type CommanderError, Option } from 'commander'
import { CATALOG } from './catalog.ts'
import type { CatalogEntry, CommandSpec } from './command.ts'
import { Context, type GlobalOptions } from './context.ts'
import { EXIT_MEANING, type ExitCode } from './exit.ts'
import { type Failure, usage } from './failure.ts'
import { commandWords, GLOBAL_OPTIONS } from './global-options.ts'
import { NOUNS } from './nouns.ts'
import type { Runtime } from './runtime.ts'
import { version } from './version.ts'

/** A parsed command line: the command with its arguments and options. */
export interface Invocation {
  spec: CommandSpec
  context: Context
  args: (string | undefined)[]
  options: Record<string, unknown>
}

/** Receives the help and version texts of commander. Its errors are thrown, not written. */
export interface HelpSink {
  write(text: string): void
  width: number
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
  const argv = withHelpWord(given)
  let invocation: Invocation | undefined
  const program = buildProgram(argv, sink, (spec, args, options) => {
    const context = new Context(runtime, options as GlobalOptions)
    invocation = { spec, args: spec.trailingCommand ? trailingCommand(argv, args) : args, options, context }
  })
  try {
    program.parse(passedThrough(argv), { from: 'user' })
  } catch (error) {
    const { code } = error as CommanderError
    if (HELP_AND_VERSION.has(code)) return undefined
    if (code === 'commander.help') throw commandMissing(commandWords(argv)[0])
    throw error
  }
  return invocation
}

/** `formwire help forms list` is `formwire forms list --help`. */
function withHelpWord(argv: readonly string[]): readonly string[] {
  const at = argv.indexOf('help')
  return at >= 0 && commandWords(argv)[0] === 'help'
    ? [...argv.slice(0, at), ...argv.slice(at + 1), '--help']
    : argv
}

/** Inserts `--` after a command that passes its arguments to another program, so that commander parses none of them. */
function passedThrough(argv: readonly string[]): string[] {
  const [word] = commandWords(argv)
  const entry = CATALOG.find(({ path, spec }) => path.length === 1 && path[0] === word && spec.passThrough)
  const at = word === undefined || !entry ? -1 : argv.indexOf(word)
  const rest = argv.slice(at + 1)
  const asksForHelp = rest.length === 1 && (rest[0] === '--help' || rest[0] === '-h')
  return at < 0 || asksForHelp ? [...argv] : [...argv.slice(0, at + 1), '--', ...rest]
}

/** Returns the words after `--`. @throws Failure exit 2 for words before it */
function trailingCommand(argv: readonly string[], [words]: readonly unknown[]): string[] {
  const end = argv.indexOf('--')
  const trailing = end < 0 ? [] : argv.slice(end + 1)
  const before = (words as string[]).length - trailing.length
  if (before === 0) return trailing
  throw usage(
    `unexpected argument "${(words as string[])[0]}"`,
    'put the command of the handler after --, such as: -- node app.js',
  )
}

/** The error for a group without a command, or for no command. */
function commandMissing(noun: string | undefined): Failure {
  const verbs = CATALOG.flatMap(({ path }) => (path[0] === noun && path[1] !== undefined ? [path[1]] : []))
  if (noun === undefined || verbs.length === 0)
    return usage('missing command', 'Run "formwire --help" for usage.')
  return usage(
    `"formwire ${noun}" requires a command: ${verbs.join(', ')}`,
    `Run "formwire ${noun} --help" for usage.`,
  )
}

const HELP_AND_VERSION: ReadonlySet<string> = new Set(['commander.helpDisplayed', 'commander.version'])

function namedCommand(argv: readonly string[]): CatalogEntry | undefined {
  const words = commandWords(argv)
  return CATALOG.find(({ path }) => path.every((word, index) => words[index] === word))
}

/** Returns the command line that shows the usage of the command in `argv`, such as `formwire forms list --help`. */
export function helpCommandLine(argv: readonly string[]): string {
  return ['formwire', ...(namedCommand(argv)?.path ?? []), '--help'].join(' ')
}

type OnRun = (spec: CommandSpec, args: (string | undefined)[], options: Record<string, unknown>) => void

/**
 * Builds as much of the program as `argv` needs: the command that it names, or else the names of all commands, for help
 * and for suggestions after a typing error.
 */
function buildProgram(argv: readonly string[], sink: HelpSink, onRun: OnRun): Command {
  const program = configure(new Command('formwire'), sink)
    .description('Work with forms, responses and webhooks from a terminal or a script.')
    .version(version, '--version', 'print the version')
    .addHelpText('after', ROOT_HELP)
  for (const option of GLOBAL_OPTIONS) program.addOption(new Option(option.flags, option.description))
  const named = namedCommand(argv)
  const nouns = new Map<string, Command>()
  for (const entry of named ? [named] : CATALOG) {
    const [first, second] = entry.path
    let parent = program
    if (second !== undefined) {
      parent = nouns.get(first) ?? addNoun(program, first, sink)
      nouns.set(first, parent)
    }
    const command = configure(new Command(second ?? first), sink).summary(entry.summary)
    parent.addCommand(command, { hidden: entry.hidden === true })
    if (entry === named) fill(command, entry, onRun)
  }
  return program
}

function addNoun(program: Command, name: string, sink: HelpSink): Command {
  const command = configure(new Command(name), sink).description(NOUNS[name] ?? '')
  program.addCommand(command)
  return command
}

function configure(command: Command, sink: HelpSink): Command {
  return command
    .exitOverride()
    .configureOutput({
      writeOut: (text) => sink.write(text),
      // Without a subcommand commander writes help here and throws; the error reports what is missing instead.
      writeErr: () => undefined,
      getOutHelpWidth: () => sink.width,
      getOutHasColors: () => false,
    })
    .configureHelp({ showGlobalOptions: true, subcommandTerm: (subcommand) => subcommand.name() })
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
}

function fill(command: Command, { spec, summary }: CatalogEntry, onRun: OnRun): void {
  command.description(
    spec.description ? `${capital(summary)}.\n\n${spec.description}` : `${capital(summary)}.`,
  )
  for (const { name, description } of spec.arguments ?? []) command.argument(name, description)
  for (const { flags, description, parse, default: value } of spec.options ?? []) {
    const option = new Option(flags, description)
    if (parse) option.argParser(parse as never)
    if (value !== undefined) option.default(value)
    command.addOption(option)
  }
  command.addHelpText('after', commandHelp(spec))
  command.action(() => {
    onRun(spec, command.processedArgs as (string | undefined)[], command.optsWithGlobals())
  })
}

/** Returns the end of a command's help: examples and exit codes. */
function commandHelp(spec: CommandSpec): string {
  const examples = spec.examples.map(([line, does]) => `  $ ${line}\n      ${does}`)
  const codes = [...new Set<ExitCode>([0, 2, ...spec.exits, 130])].sort((one, other) => one - other)
  const exits = codes.map((code) => `${code} ${EXIT_MEANING[code]}`).join(' · ')
  return `\nExamples:\n${examples.join('\n')}\n\nExit codes: ${exits}`
}

const ROOT_HELP = `
The API key comes from FORMWIRE_API_KEY or a profile (see "formwire login"). It cannot be passed as an option.

Examples:
  $ formwire login --with-key --base-url https://forms.example.com < key.txt
  $ formwire forms list --status published
  $ formwire responses tail FORM --json

Exit codes:
${Object.entries(EXIT_MEANING)
  .map(([code, meaning]) => `  ${code.padStart(3)}  ${meaning}`)
  .join('\n')}`

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
