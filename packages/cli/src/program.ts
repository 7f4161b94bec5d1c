import { Command, type CommanderError, Option } from 'commander'
import { CATALOG, type CatalogEntry } from './catalog.ts'
import type { CommandSpec } from './command.ts'
import { Context, type GlobalOptions } from './context.ts'
import { EXIT_MEANING, type ExitCode } from './exit.ts'
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
 * Reads the command line. Only the command that it names is loaded; the others stand in the grammar by name.
 * Returns undefined when help or the version was asked for and has been written.
 * @throws CommanderError for a command line that makes no sense
 */
export async function readCommandLine(
  argv: readonly string[],
  runtime: Runtime,
  sink: HelpSink,
): Promise<Invocation | undefined> {
  const entry = findEntry(commandWords(argv))
  const loaded = entry ? new Map([[entry, await entry.load()]]) : new Map()
  let invocation: Invocation | undefined
  const program = buildProgram(loaded, sink, (spec, args, options) => {
    invocation = { spec, args, options, context: new Context(runtime, options as GlobalOptions, CATALOG) }
  })
  try {
    await program.parseAsync([...argv], { from: 'user' })
  } catch (error) {
    if (HELP_AND_VERSION.has((error as CommanderError).code)) return undefined
    throw error
  }
  return invocation
}

const HELP_AND_VERSION: ReadonlySet<string> = new Set(['commander.helpDisplayed', 'commander.version'])

/** The entry that the words name, if any. */
export function findEntry(words: readonly string[]): CatalogEntry | undefined {
  const [noun, verb] = words[0] === 'help' ? words.slice(1) : words
  return CATALOG.find(({ path }) => path[0] === noun && (path.length === 1 || path[1] === verb))
}

type OnRun = (spec: CommandSpec, args: (string | undefined)[], options: Record<string, unknown>) => void

/** The grammar of the program: every command by name and summary, the loaded ones whole. */
export function buildProgram(
  loaded: ReadonlyMap<CatalogEntry, CommandSpec>,
  sink: HelpSink,
  onRun: OnRun,
): Command {
  const program = configure(new Command('formwire'), sink)
    .description('Forms, responses and webhooks from a terminal or a script.')
    .version(version, '--version', 'print the version')
    .addHelpText('after', ROOT_HELP)
  for (const option of GLOBAL_OPTIONS) program.addOption(new Option(option.flags, option.description))
  const nouns = new Map<string, Command>()
  for (const entry of CATALOG) {
    const [first, verb] = entry.path
    let parent = program
    if (verb !== undefined) {
      parent = nouns.get(first) ?? addNoun(program, first, sink)
      nouns.set(first, parent)
    }
    const command = configure(new Command(verb ?? first), sink).summary(entry.summary)
    parent.addCommand(command, { hidden: entry.hidden === true })
    const spec = loaded.get(entry)
    if (spec) fill(command, entry, spec, onRun)
    else command.description(entry.summary).argument('[args...]').allowUnknownOption()
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

function fill(command: Command, entry: CatalogEntry, spec: CommandSpec, onRun: OnRun): void {
  command.description(
    spec.description ? `${capital(entry.summary)}.\n\n${spec.description}` : `${capital(entry.summary)}.`,
  )
  for (const { name, description } of spec.arguments ?? []) command.argument(name, description)
  for (const { flags, description, parse, default: value } of spec.options ?? []) {
    const option = new Option(flags, description)
    if (parse) option.argParser(parse as never)
    if (value !== undefined) option.default(value)
    command.addOption(option)
  }
  if (spec.passThrough) command.allowUnknownOption().helpOption(false).passThroughOptions()
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
