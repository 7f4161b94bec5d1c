import { nearestName } from '@formwire/internal/nearest-name'
import { COMMANDS } from '../all-commands.ts'
import {
  type ArgumentSpec,
  argumentsOf,
  type Command,
  GLOBAL_OPTIONS,
  isGroup,
  type OptionSpec,
} from '../command.ts'
import { type Failure, usage } from '../failure.ts'
import { usageOf } from '../help/help.ts'
import { seeHelp } from './option-reader.ts'

const didYouMean = (paths: readonly (readonly string[])[]): string =>
  `Did you mean ${paths.map((path) => `formwire ${path.join(' ')}`).join(' or ')}?`

const FORM_ID = /^\w{12}$/
const IN_THE_APP = /^(?:create|new|add|delete|remove|rm)$/

/** Returns the error for a word that names no command, or a word such as an id after the name of a group. */
export function unknownCommand([noun = '', word = '']: readonly string[]): Failure {
  const problem = `unknown command '${noun}${isGroup(COMMANDS, noun) ? ` ${word}` : ''}'`
  if (!isGroup(COMMANDS, noun)) {
    const meant = COMMANDS.map(({ path }) => path).filter(([, verb]) => verb === noun)
    if (meant.length > 0) return usage(problem, didYouMean(meant))
    const nearest = nearestName(noun, [...new Set(shown(COMMANDS).map(({ path }) => path[0]))])
    return usage(problem, nearest === undefined ? seeHelp([]) : `Did you mean ${nearest}?`)
  }
  const isInTheApp = noun === 'forms' && IN_THE_APP.test(word)
  const entries = COMMANDS.filter(({ path }) => path[0] === noun)
  const verbs = entries.flatMap(({ path: [, verb] }) => verb ?? [])
  const nearest = nearestName(word, verbs)
  if (nearest !== undefined && !isInTheApp) return usage(problem, didYouMean([[noun, nearest]]))
  const ofForm = entries.find(
    ({ path, arguments: takes }) => /^(?:list|get)$/.test(path[1] ?? '') && takes?.[0]?.name === '<form>',
  )
  return usage(
    problem,
    [
      `commands of formwire ${noun}: ${entries.map(({ path }) => path[1]).join(', ')}`,
      ...(ofForm && FORM_ID.test(word)
        ? [`If it is the id of a form, run "formwire ${noun} ${ofForm.path[1]} ${word}".`]
        : []),
      ...(isInTheApp ? ['The API can neither create nor delete forms: do that in the app.'] : []),
    ].join('\n'),
  )
}

const shown = (commands: readonly Command[]): readonly Command[] => commands.filter(({ hidden }) => !hidden)

/** Options of different commands for the same thing. */
const SAME_OPTIONS: readonly (readonly string[])[] = [
  ['key-stdin', 'secret-stdin', 'with-key'],
  ['output', 'out'],
  ['data', 'from-file'],
  ['limit', 'count', 'sample'],
  ['webhook-url', 'forward-to', 'public-url'],
]

/** Returns the error for an option that the command does not have: what it calls it, or which commands have it. */
export function unknownOption(word: string, words: readonly string[], command?: Command): Failure {
  const [flag = word] = word.split('=')
  const name = flag.replace(/^-+/, '')
  // Without its value, which may be a secret.
  const problem = `unknown option '${flag}'`
  const own: readonly OptionSpec[] = command?.options ?? []
  const has =
    (options: readonly OptionSpec[] = []) =>
    (one: string) =>
      options.some((option) => option.name === one)
  const alike = SAME_OPTIONS.find((names) => names.includes(name))?.find(has(own))
  if (alike !== undefined) return usage(problem, `formwire ${command?.path.join(' ')} calls it --${alike}`)
  const nearest = flag.startsWith('--')
    ? nearestName(
        name,
        [...own, ...GLOBAL_OPTIONS].map((one) => one.name),
      )
    : undefined
  if (nearest !== undefined) return usage(problem, `Did you mean --${nearest}?`)
  const others = command ? COMMANDS.filter(({ options }) => has(options)(name)) : []
  if (others.length > 0)
    return usage(
      problem,
      `It is an option of ${others.map(({ path }) => `formwire ${path.join(' ')}`).join(', ')}.`,
    )
  return usage(problem, seeHelp(command?.path ?? words.slice(0, 1)))
}

/** Returns the error for an argument that is missing. */
export function missingArgument(command: Command, at: number): Failure {
  const { name, description } = argumentsOf(command)[at] as ArgumentSpec
  return usage(`missing required argument '${name}'`, `Usage: ${usageOf(command)}\n${name}: ${description}`)
}

/** Returns the error for an argument that the command does not take. @param isField whether it follows `--json` */
export function unexpectedArgument(entry: Command, given: string, isField: boolean): Failure {
  const command = ['formwire', ...entry.path].join(' ')
  const shown = argumentsOf(entry).map((one) => one.shown)
  return usage(
    `unexpected argument "${given}"`,
    isField
      ? `Did you mean --json=${given}?`
      : shown.length === 0
        ? `${command} has no arguments. Run "${command} --help" for its options.`
        : `Usage: ${command} ${shown.join(' ')}. Put quotation marks around a value with spaces.`,
  )
}
