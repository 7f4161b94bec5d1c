import {
  aliasOf,
  argumentsOf,
  type Command,
  descriptionOf,
  flagsOf,
  GLOBAL_OPTIONS,
  type OptionSpec,
} from '../command.ts'
import { EXIT, EXIT_MEANING, type ExitCode } from '../exit.ts'
import {
  exampleLines,
  type HelpStyle,
  itemLines,
  labelled,
  page,
  paragraphs,
  placeholders,
  type Section,
  termLines,
} from './layout.ts'

/** The help summary of each command group. */
export const NOUNS: Readonly<Record<string, string>> = {
  forms: 'list forms and change their status or title',
  responses: 'read, follow, export, submit and delete responses',
  webhooks: 'list, create and delete webhook endpoints',
  deliveries: 'read the delivery log of a reference server',
  receiver: 'check a webhook receiver',
  inbox: 'inspect the queue of an inbox, and retry or delete dead responses',
  sync: 'show the state of a synchronized database',
  seed: 'copy a workspace for a local server, with personal data replaced',
  profiles: 'list, select and remove stored profiles',
}

/** The commands and groups of the program's help by topic, in the order of help. What is missing here follows at the end. */
export const TOPICS: readonly (readonly [topic: string, words: readonly string[]])[] = [
  ['Account', ['login', 'logout', 'whoami', 'profiles', 'doctor']],
  ['Forms and responses', ['forms', 'responses', 'sync', 'types']],
  ['Webhooks', ['webhooks', 'listen', 'trigger', 'replay', 'inbox']],
  ['Test your handler', ['rehearse', 'receiver']],
  ['Reference server', ['serve', 'seed', 'deliveries', 'conformance']],
]

/** What the program is for, in one line. */
export const PROGRAM_SUMMARY = 'Work with forms, responses and webhooks from a terminal or a script.'

const EXAMPLES: Command['examples'] = {
  'formwire login --base-url https://forms.example.com': 'store an API key',
  'formwire forms list --status published': 'list the published forms',
  'formwire responses export FORM --output responses.csv': 'export every response of a form',
  'formwire listen --form FORM --forward-to 3000': 'develop a webhook handler on port 3000',
}

/** Returns the help of the program without a command: what it can do, on one screen. */
export function bareHelp(catalog: readonly Command[], style: HelpStyle): string {
  return page(
    style,
    PROGRAM_SUMMARY,
    usageLine('formwire <command> [options]', style),
    { heading: 'Examples', lines: exampleLines(EXAMPLES, style) },
    {
      heading: 'Commands',
      lines: termLines(
        topicsOf(catalog).map(([topic, words]) => [topic, words.join(', ')]),
        style,
      ),
    },
    paragraphs('Run "formwire help" for what each does, "formwire help <command>" for one.', style),
  )
}

/** Returns the help of the program: every command by topic. */
export function rootHelp(catalog: readonly Command[], style: HelpStyle): string {
  const summaries = new Map([
    ...catalog.map(({ path }) => [path[0], NOUNS[path[0]] ?? ''] as const),
    ...catalog
      .filter(({ path }) => path.length === 1)
      .map(({ path, summary }) => [path[0], summary] as const),
  ])
  const topics = topicsOf(catalog)
  const column = Math.max(...topics.flatMap(([, words]) => words.map((word) => word.length)))
  return page(
    style,
    PROGRAM_SUMMARY,
    usageLine('formwire <command> [options]', style),
    { heading: 'Examples', lines: exampleLines(EXAMPLES, style) },
    ...topics.map(
      ([heading, words]): Section => ({
        heading,
        lines: termLines(
          words.map((word) => [word.padEnd(column), summaries.get(word) ?? '']),
          style,
        ),
      }),
    ),
    { heading: 'Options', lines: optionLines(GLOBAL_OPTIONS, style) },
    paragraphs(
      'The API key comes from FORMWIRE_API_KEY or a profile (see "formwire login"). It cannot be passed as an option.\n' +
        'Run "formwire <command> --help" for more about a command, or add --json to print the commands as JSON.',
      style,
    ),
    {
      heading: 'Exit codes',
      lines: Object.entries(EXIT_MEANING).map(([code, meaning]) => `  ${code.padStart(3)}  ${meaning}`),
    },
  )
}

/** Returns the topics with their words, those without a topic last. */
function topicsOf(catalog: readonly Command[]): (readonly [topic: string, words: readonly string[]])[] {
  const all = [...new Set(catalog.filter(({ hidden }) => !hidden).map(({ path }) => path[0]))]
  const others = all.filter((word) => !TOPICS.some(([, words]) => words.includes(word)))
  return [
    ...TOPICS.map(([topic, words]) => [topic, words.filter((word) => all.includes(word))] as const),
    ['Other commands', others],
  ]
}

const usageLine = (usage: string, style: HelpStyle): string =>
  `${style.pens.bold('Usage:')} ${placeholders(usage, style)}`

/** Returns the help of a group: its commands, their first examples and all their exit codes. */
export function groupHelp(noun: string, entries: readonly Command[], style: HelpStyle): string {
  const examples = Object.fromEntries(entries.flatMap(({ examples }) => Object.entries(examples).slice(0, 1)))
  return page(
    style,
    `${capital(NOUNS[noun] ?? noun)}.`,
    usageLine(`formwire ${noun} <command> [options]`, style),
    { heading: 'Examples', lines: exampleLines(examples, style) },
    {
      heading: 'Commands',
      lines: termLines(
        entries.map(({ path, summary }) => [[path[1], aliasOf(path)].filter(Boolean).join(', '), summary]),
        style,
      ),
    },
    globalOptions(GLOBAL_OPTIONS, style),
    paragraphs(`Run "formwire ${noun} <command> --help" for more about a command.`, style),
    exitLine(
      entries.flatMap(({ exits }) => exits),
      style,
    ),
  )
}

/** Returns the help of a command. It ends with the exit codes. */
export function commandHelp(command: Command, style: HelpStyle): string {
  const { path, summary, description, fields } = command
  const alias = aliasOf(path)
  return page(
    style,
    `${capital(summary)}.`,
    description === undefined ? '' : paragraphs(description, style),
    usageLine(usageOf(command), style) +
      (alias === undefined ? '' : `\n${style.pens.bold('Alias:')} formwire ${path[0]} ${alias}`),
    { heading: 'Examples', lines: exampleLines(command.examples, style) },
    {
      heading: 'Arguments',
      lines: termLines(
        argumentsOf(command).map(({ name, description }) => [name, description]),
        style,
        style.pens.cyan,
      ),
    },
    ...optionGroups(command).map(([heading, options]) => ({ heading, lines: optionLines(options, style) })),
    command.passThrough ? '' : globalOptions(globalOptionsOf(command), style),
    fields === undefined ? '' : labelled('Fields of --json:', fields, ', ', style),
    exitLine(command.exits, style),
  )
}

/** Returns the names of the global options: the help of the program describes them. */
const globalOptions = (options: readonly OptionSpec[], style: HelpStyle): Section => ({
  heading: 'Global options (see "formwire help")',
  lines: itemLines(
    options.map(({ short: _short, ...long }) => flagsOf(long)),
    style,
  ),
})

/** Returns the options of a command by their heading. */
export function optionGroups(command: Command): (readonly [heading: string, OptionSpec[]])[] {
  const options: readonly OptionSpec[] = command.options ?? []
  const headings = new Set(options.map(({ heading = 'Options' }) => heading))
  return [...headings].map((one) => [one, options.filter(({ heading = 'Options' }) => heading === one)])
}

/** Returns the global options that do something for a command. */
function globalOptionsOf({ asks }: Command): readonly OptionSpec[] {
  return asks ? GLOBAL_OPTIONS : GLOBAL_OPTIONS.filter(({ name }) => name !== 'yes')
}

/** Returns the exit codes of a command with their meanings, in order. */
export function exitCodesOf(exits: readonly ExitCode[]): readonly (readonly [ExitCode, string])[] {
  return [...new Set<ExitCode>([EXIT.done, EXIT.usage, ...exits, EXIT.interrupted])]
    .sort((one, other) => one - other)
    .map((code) => [code, EXIT_MEANING[code]])
}

/** One line for scripts, wrapped on a terminal. */
function exitLine(exits: readonly ExitCode[], style: HelpStyle): string {
  const codes = exitCodesOf(exits).map(([code, meaning]) => `${code} ${meaning}`)
  return labelled('Exit codes:', codes, ' · ', style)
}

/** Returns the usage of a command, such as `formwire forms get [options] <form>`. */
export function usageOf(command: Command): string {
  const { path, passThrough, trailingCommand } = command
  return [
    'formwire',
    ...path,
    ...(passThrough ? [] : ['[options]']),
    ...argumentsOf(command).map(({ shown }) => (trailingCommand ? shown.replace('[', '[-- ') : shown)),
  ].join(' ')
}

function optionLines(options: readonly OptionSpec[], style: HelpStyle): string[] {
  const indent = options.some(({ short }) => short !== undefined) ? '    ' : ''
  return termLines(
    options.map((one) => [`${one.short === undefined ? indent : ''}${flagsOf(one)}`, descriptionOf(one)]),
    style,
  )
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
