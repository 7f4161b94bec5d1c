import { type Command, commandNamedBy, GLOBAL_OPTIONS, type OptionSpec } from '../command.ts'
import type { GlobalOptions } from '../context.ts'
import { OptionReader } from './option-reader.ts'

export interface Line {
  /** The global options that are given. */
  global: Omit<GlobalOptions, 'json'> & { json?: string | true; version?: true }
  /** The words before the first option that is not global. */
  words: readonly string[]
  /** What follows them, up to `--`. */
  rest: readonly string[]
  /** What follows `--`. */
  trailing: readonly string[]
  isHelp: boolean
  /** The command that the words name. */
  command: Command | undefined
}

/** Reads the global options of a command line, and which command it names. @throws MissingValue */
export function readWords(argv: readonly string[], catalog: readonly Command[]): Line {
  const end = argv.indexOf('--')
  const [given, trailing] = end < 0 ? [argv, []] : [argv.slice(0, end), argv.slice(end + 1)]
  const reader = new OptionReader(GLOBAL_OPTIONS)
  // The options after such a command are for another program.
  reader.enablePositionalOptions().helpCommand(false)
  for (const { path, passThrough } of catalog) if (passThrough) reader.command(path[0])
  const { operands, unknown: rest } = reader.parseOptions([...given])
  const { help, ...global } = reader.opts<Line['global'] & { help?: true }>()
  const isHelp = operands[0] === 'help'
  const words = isHelp ? operands.slice(1) : operands
  const command = commandNamedBy(catalog, words)
  const line = { global, words, rest, trailing, isHelp: isHelp || help === true, command }
  return command?.passThrough ? passedThrough(line, command, end >= 0) : line
}

/** Help of a command that passes its options through is its own if nothing else is given, or one of its own options. */
function passedThrough(line: Line, { options = [] }: Command, isSplit: boolean): Line {
  const { rest, trailing, global } = line
  const others = rest.filter((word) => word !== '--help' && word !== '-h')
  const isOwn =
    others.every((word) => word === '--json') ||
    options.some(({ name }: OptionSpec) => others.includes(`--${name}`))
  if (others.length < rest.length && isOwn)
    return {
      ...line,
      rest: [],
      isHelp: true,
      global: others.includes('--json') ? { ...global, json: true } : global,
    }
  const passed = isSplit && rest.length > 0 ? [...rest, '--', ...trailing] : [...rest, ...trailing]
  return { ...line, rest: [], trailing: passed }
}

/** The arguments of a command line, and the options of its command. */
interface Parsed {
  args: string[]
  options: Record<string, unknown>
  /** An option that the command does not have. */
  unknown: string | undefined
}

/** Reads what follows the name of a command. @param parses whether the values of options are parsed @throws MissingValue */
export function readRest({ words, rest, trailing }: Line, { path, options }: Command, parses = true): Parsed {
  const reader = new OptionReader(options ?? [], path, parses)
  const { operands, unknown } = reader.parseOptions([...rest])
  return {
    args: [...words.slice(path.length), ...operands, ...trailing],
    options: reader.opts(),
    unknown: unknown[0],
  }
}
