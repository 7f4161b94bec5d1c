import { Command, type CommanderError, Option } from 'commander'
import { CATALOG, type CatalogEntry } from './catalog.ts'
import type { CommandSpec } from './command.ts'
import { Context, type GlobalOptions } from './context.ts'
import { EXIT_MEANING, type ExitCode } from './exit.ts'
import { type Failure, usage } from './failure.ts'
import { commandWords, GLOBAL_OPTIONS } from './global-options.ts'
import { NOUNS } from './nouns.ts'
import type { Runtime } from './runtime.ts'
import { version } from './version.ts'

/** A command line that was understood: which command, and with what. */
export interface Invocation {
  spec: CommandSpec
  context: Context
  args: (string | undefined)[]
  options: Record<string, unknown>
}

/** Where commander's own texts go: help and version to stdout; its errors are thrown, not written. */
export interface HelpSink {
  write(text: string): void
  width: number
}

/**
 * Reads the command line. Returns undefined when help or the version was asked for and has been written.
 * @throws CommanderError for a command line that makes no sense
 */
export function readCommandLine(
  given: readonly string[],
  runtime: Runtime,
  sink: HelpSink,
): Invocation | undefined {
  const argv = withHelpWord(given)
  let invocation: Invocation | undefined
  const program = buildProgram(argv, sink, (spec, args, options) => {
    invocation = { spec, args, options, context: new Context(runtime, options as GlobalOptions, CATALOG) }
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

/** Puts `--` after a command whose arguments are another program's, so that none of them is read here. */
function passedThrough(argv: readonly string[]): string[] {
  const [word] = commandWords(argv)
  const entry = CATALOG.find(({ path, spec }) => path.length === 1 && path[0] === word && spec.passThrough)
  const at = word === undefined || !entry ? -1 : argv.indexOf(word)
  const rest = argv.slice(at + 1)
  const asksForHelp = rest.length === 1 && (rest[0] === '--help' || rest[0] === '-h')
  return at < 0 || asksForHelp ? [...argv] : [...argv.slice(0, at + 1), '--', ...rest]
}

/** A noun without a verb, or nothing at all. */
function commandMissing(noun: string | undefined): Failure {
  const verbs = CATALOG.flatMap(({ path }) => (path[0] === noun && path[1] !== undefined ? [path[1]] : []))
  if (noun === undefined || verbs.length === 0)
    return usage('a command is missing', 'formwire --help lists them all')
  return usage(
    `formwire ${noun} needs one of: ${verbs.join(', ')}`,
    `formwire ${noun} --help says what they do`,
  )
}

const HELP_AND_VERSION: ReadonlySet<string> = new Set(['commander.helpDisplayed', 'commander.version'])

type OnRun = (spec: CommandSpec, args: (string | undefined)[], options: Record<string, unknown>) => void

/**
 * The grammar of the program, as much of it as `argv` needs: the one command that it names, or else every name, so that
 * help can list them and a wrong word finds its neighbour.
 */
function buildProgram(argv: readonly string[], sink: HelpSink, onRun: OnRun): Command {
  const program = configure(new Command('formwire'), sink)
    .description('Forms, responses and webhooks from a terminal or a script.')
    .version(version, '--version', 'print the version')
    .addHelpText('after', ROOT_HELP)
  for (const option of GLOBAL_OPTIONS) program.addOption(new Option(option.flags, option.description))
  const words = commandWords(argv)
  const named = CATALOG.find(({ path }) => path.every((word, index) => words[index] === word))
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
      // Without a subcommand commander writes help here and throws; the error says what is missing instead.
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

/** Examples and exit codes, as they end a command's help. */
function commandHelp(spec: CommandSpec): string {
  const examples = spec.examples.map(([line, does]) => `  $ ${line}\n      ${does}`)
  const codes = [...new Set<ExitCode>([0, 2, ...spec.exits, 130])].sort((one, other) => one - other)
  const exits = codes.map((code) => `${code} ${EXIT_MEANING[code]}`).join(' · ')
  return `\nExamples:\n${examples.join('\n')}\n\nExit codes: ${exits}`
}

const ROOT_HELP = `
The key comes from FORMWIRE_API_KEY, a profile, or stdin at login; it is never an option.

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
