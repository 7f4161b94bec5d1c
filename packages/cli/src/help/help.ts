import { aliasOf, type Command, type OptionSpec } from '../command.ts'
import { GLOBAL_OPTIONS } from '../command-line/global-options.ts'
import { EXIT, EXIT_MEANING, type ExitCode } from '../exit.ts'
import { wrap } from '../output/width.ts'
import { page, paragraphs, type Section, termLines } from './layout.ts'
import { NOUNS, TOPICS } from './topics.ts'

/** What the program is for, in one line. */
export const PROGRAM_SUMMARY = 'Work with forms, responses and webhooks from a terminal or a script.'

/** Columns of help that is not for a terminal. */
const PLAIN_COLUMNS = 80

/** Columns of the terminal that help is for; undefined for a pipe. */
export type HelpColumns = number | undefined

/** Returns the help of the program: every command by topic. */
export function rootHelp(catalog: readonly Command[], columns: HelpColumns): string {
  const width = columns ?? PLAIN_COLUMNS
  const summaries = new Map(
    catalog
      .filter(({ hidden }) => !hidden)
      .map(({ path, summary }) => [path[0], path.length === 1 ? summary : (NOUNS[path[0]] ?? '')]),
  )
  const termed = new Set(TOPICS.flatMap(([, words]) => words))
  const others = [...summaries.keys()].filter((word) => !termed.has(word))
  const column = Math.max(...[...summaries.keys()].map((word) => word.length))
  const topics = [...TOPICS, ['Other commands', others] as const].map(
    ([heading, words]): Section => ({
      heading,
      lines: termLines(
        words.flatMap((word) =>
          summaries.has(word) ? [[word.padEnd(column), summaries.get(word) ?? '']] : [],
        ),
        width,
      ),
    }),
  )
  return page(
    PROGRAM_SUMMARY,
    'Usage: formwire <command> [options]',
    {
      heading: 'Examples',
      lines: exampleLines(
        [
          ['formwire login --base-url https://forms.example.com', 'store an API key'],
          ['formwire forms list --status published', 'list the published forms'],
          ['formwire responses export FORM --output responses.csv', 'export every response of a form'],
          ['formwire listen --form FORM --forward-to 3000', 'develop a webhook handler on port 3000'],
        ],
        width,
      ),
    },
    ...topics,
    { heading: 'Options', lines: optionLines(GLOBAL_OPTIONS, width) },
    paragraphs(
      'The API key comes from FORMWIRE_API_KEY or a profile (see "formwire login"). It cannot be passed as an option.\n' +
        'Run "formwire <command> --help" for more about a command, or add --json to print the commands as JSON.',
      width,
    ),
    {
      heading: 'Exit codes',
      lines: Object.entries(EXIT_MEANING).map(([code, meaning]) => `  ${code.padStart(3)}  ${meaning}`),
    },
  )
}

/** Returns the help of a group: its commands, their first examples and all their exit codes. */
export function groupHelp(noun: string, entries: readonly Command[], columns: HelpColumns): string {
  const width = columns ?? PLAIN_COLUMNS
  return page(
    `${capital(NOUNS[noun] ?? noun)}.`,
    `Usage: formwire ${noun} <command> [options]`,
    {
      heading: 'Examples',
      lines: exampleLines(
        entries.flatMap(({ examples }) => examples.slice(0, 1)),
        width,
      ),
    },
    {
      heading: 'Commands',
      lines: termLines(
        entries.map(({ path, summary }) => [[path[1], aliasOf(path)].filter(Boolean).join(', '), summary]),
        width,
      ),
    },
    { heading: 'Options', lines: optionLines(GLOBAL_OPTIONS, width) },
    paragraphs(`Run "formwire ${noun} <command> --help" for more about a command.`, width),
    exitLine(
      entries.flatMap(({ exits }) => exits),
      columns,
    ),
  )
}

/** Returns the help of a command. It ends with the exit codes. */
export function commandHelp(command: Command, columns: HelpColumns): string {
  const { path, summary, description, fields } = command
  const width = columns ?? PLAIN_COLUMNS
  const alias = aliasOf(path)
  return page(
    `${capital(summary)}.`,
    description === undefined ? '' : paragraphs(description, width),
    `Usage: ${usageOf(command)}${alias === undefined ? '' : `\nAlias: formwire ${path[0]} ${alias}`}`,
    { heading: 'Examples', lines: exampleLines(command.examples, width) },
    {
      heading: 'Arguments',
      lines: termLines(
        (command.arguments ?? []).map(({ name, description }) => [
          name.replace(/[<>[\]]|\.{3}/g, ''),
          description,
        ]),
        width,
      ),
    },
    { heading: 'Options', lines: optionLines(command.options ?? [], width) },
    {
      heading: 'Global options',
      lines: command.passThrough ? [] : optionLines(globalOptionsOf(command), width),
    },
    fields === undefined ? '' : paragraphs(`Fields of --json: ${fields.join(', ')}`, width),
    exitLine(command.exits, columns),
  )
}

/** Returns the global options that do something for a command. */
function globalOptionsOf({ asks }: Command): readonly OptionSpec[] {
  return asks ? GLOBAL_OPTIONS : GLOBAL_OPTIONS.filter(({ flags }) => !flags.endsWith('--yes'))
}

/** Returns the exit codes of a command with their meanings, in order. */
export function exitCodesOf(exits: readonly ExitCode[]): readonly (readonly [ExitCode, string])[] {
  return [...new Set<ExitCode>([EXIT.done, EXIT.usage, ...exits, EXIT.interrupted])]
    .sort((one, other) => one - other)
    .map((code) => [code, EXIT_MEANING[code]])
}

/** One line for scripts, wrapped on a terminal. */
function exitLine(exits: readonly ExitCode[], columns: HelpColumns): string {
  const codes = exitCodesOf(exits).map(([code, meaning]) => `${code} ${meaning}`)
  return paragraphs(`Exit codes: ${codes.join(' · ')}`, columns ?? Number.POSITIVE_INFINITY)
}

/** Returns the usage of a command, such as `formwire forms get [options] <form>`. */
export function usageOf({ path, arguments: takes = [], passThrough, trailingCommand }: Command): string {
  const words = takes.map(({ name }) => name)
  return [
    'formwire',
    ...path,
    ...(passThrough ? [] : ['[options]']),
    ...(trailingCommand ? words.map((word) => word.replace('[', '[-- ')) : words),
  ].join(' ')
}

function exampleLines(examples: Command['examples'], width: number): string[] {
  return examples.flatMap(([line, does]) => [
    `  $ ${line}`,
    ...wrap(does, width - EXAMPLE_INDENT.length).map((text) => EXAMPLE_INDENT + text),
  ])
}

const EXAMPLE_INDENT = ' '.repeat(6)

function optionLines(options: readonly OptionSpec[], width: number): string[] {
  const anyShort = options.some(({ flags }) => /^-\w,/.test(flags))
  return termLines(
    options
      .filter(({ hidden }) => !hidden)
      .map(({ flags, description }) => [
        anyShort && !/^-\w,/.test(flags) ? `    ${flags}` : flags,
        description,
      ]),
    width,
  )
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
