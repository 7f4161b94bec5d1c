import { type Command, commandNamedBy, type OptionSpec } from '../command.ts'
import { GLOBAL_OPTIONS } from './global-options.ts'
import { isField } from './json-fields.ts'

/** The long name in the flags of an option: `--limit` of `-L, --limit <n>`. */
export const longName = (flags: string): string => /--[\w-]+/.exec(flags)?.[0] ?? flags

/** Whether the next word is the value of this option. */
const takesValue = ({ flags }: OptionSpec): boolean => flags.includes('<')

/** Returns the option that `word` names and that takes the next word as its value. */
export function openOption(specs: readonly OptionSpec[], word: string | undefined): OptionSpec | undefined {
  if (word === undefined || !word.startsWith('-')) return undefined
  return specs.find(
    (spec) => takesValue(spec) && (longName(spec.flags) === word || spec.flags.startsWith(`${word}, `)),
  )
}

/** Returns the words that are neither options nor their values, up to `--`. */
export function positionals(words: readonly string[], specs: readonly OptionSpec[]): string[] {
  const end = words.indexOf('--')
  return (end < 0 ? words : words.slice(0, end)).filter(
    (word, index) => (!word.startsWith('-') || word === '-') && !openOption(specs, words[index - 1]),
  )
}

/** Returns the words that can identify the command: neither options nor values of global options. */
export function commandWords(argv: readonly string[]): string[] {
  return positionals(argv, GLOBAL_OPTIONS)
}

/** Whether to print errors as JSON, including errors in the command line. */
export function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  return (end < 0 ? argv : argv.slice(0, end)).some((word) => word === '--json' || word.startsWith('--json='))
}

/** Returns the words of a command line as the parser reads them: `help X` is `X --help`, `--json a,b` has its fields apart. */
export function normalized(given: readonly string[], catalog: readonly Command[]): readonly string[] {
  const argv = withoutAlias(withHelpWord(given), catalog)
  const words = commandWords(argv)
  const entry = commandNamedBy(catalog, words)
  return entry?.passThrough ? passedThrough(argv, entry) : withJsonFields(argv, catalog)
}

/** `formwire help forms list` is `formwire forms list --help`. */
function withHelpWord(argv: readonly string[]): readonly string[] {
  const at = argv.indexOf('help')
  return at >= 0 && commandWords(argv)[0] === 'help'
    ? [...argv.slice(0, at), ...argv.slice(at + 1), '--help']
    : argv
}

/** `forms ls` is `forms list`: not an alias of the parser, which would suggest both names after a typing error. */
function withoutAlias(argv: readonly string[], catalog: readonly Command[]): readonly string[] {
  const [noun, verb] = commandWords(argv)
  const entry = commandNamedBy(catalog, [noun ?? '', verb ?? ''])
  const name = entry?.path[1]
  if (noun === undefined || verb === undefined || name === undefined || name === verb) return argv
  const at = argv.indexOf(verb, argv.indexOf(noun) + 1)
  return [...argv.slice(0, at), name, ...argv.slice(at + 1)]
}

/**
 * Inserts `--` after a command that passes its arguments to another program, so that none of them is parsed. Help is its own if nothing
 * else is given, or one of its own options.
 */
function passedThrough(argv: readonly string[], { path, options = [] }: Command): readonly string[] {
  const at = argv.indexOf(path[0])
  const [before, given] = [argv.slice(0, at + 1), argv.slice(at + 1)]
  if (given[0] === '--') return [...before, '--', ...given.slice(1)]
  const [help, others] = [given.filter((word) => HELP.test(word)), given.filter((word) => !HELP.test(word))]
  const isOwn =
    others.every((word) => word === '--json') || options.some(({ flags }) => others.includes(longName(flags)))
  return help.length > 0 && isOwn
    ? [...before, '--help', ...(others.includes('--json') ? ['--json'] : [])]
    : [...before, '--', ...given]
}

const HELP = /^(?:--help|-h)$/

const FIELDS = /^[A-Za-z_][\w.-]*(?:,[A-Za-z_][\w.-]*)*$/

/**
 * Moves the fields of `--json FIELDS` to an option of their own, so that `--json` never takes an argument of the command
 * for its fields. A single name counts as a field only if no argument is missing.
 */
export function withJsonFields(argv: readonly string[], catalog: readonly Command[]): readonly string[] {
  const at = argv.findIndex((word) => word === '--json' || word.startsWith('--json=') || word === '--')
  const word = argv[at]
  if (word === undefined || word === '--') return argv
  const [before, after] = [argv.slice(0, at), argv.slice(at + 1)]
  if (word !== '--json')
    return [...before, '--json', `--json-fields=${word.slice('--json='.length)}`, ...after]
  const [next = ''] = after
  if (!FIELDS.test(next)) return argv
  const rest = after.slice(1)
  const hasFields = next.includes(',') || isNoArgument(next, [...before, ...rest], catalog)
  return hasFields ? [...before, '--json', `--json-fields=${next}`, ...rest] : argv
}

/**
 * Whether a word is not an argument of the command: it would be one too many, or it is a field of the command, which has all
 * arguments that it requires.
 */
export function isNoArgument(word: string, others: readonly string[], catalog: readonly Command[]): boolean {
  const entry = commandNamedBy(catalog, commandWords(others))
  if (!entry) return false
  const takes = entry.arguments ?? []
  const given = positionals(others, [...(entry.options ?? []), ...GLOBAL_OPTIONS]).length - entry.path.length
  if (!takes.some(({ name }) => name.includes('...')) && given >= takes.length) return true
  return given >= requiredArguments(entry) && isField(word, entry.fields)
}

/** Returns how many arguments a command requires. */
export function requiredArguments({ arguments: takes = [] }: Command): number {
  return takes.filter(({ name }) => name.startsWith('<')).length
}
