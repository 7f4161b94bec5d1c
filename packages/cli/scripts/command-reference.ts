import { COMMANDS } from '../src/all-commands.ts'
import {
  type ArgumentSpec,
  aliasOf,
  type Command,
  descriptionOf,
  flagsOf,
  GLOBAL_OPTIONS,
  type OptionSpec,
} from '../src/command.ts'
import type { ExitCode } from '../src/exit.ts'
import { exitCodesOf, optionGroups, TOPICS, usageOf } from '../src/help/help.ts'

/** Markdown at the path that it would have in the repository. */
export interface CommandPage {
  path: string
  text: string
}

/** Address in the site of the pages about the commands of a topic: they are not in the repository. */
const SITE = 'https://formwire.example/reference/commands'

/** Returns a page about all commands, and one for those of each topic of the help, from the same data as `--help`. */
export function commandPages(): CommandPage[] {
  const commands = COMMANDS.filter(({ hidden }) => !hidden)
  const listed = TOPICS.flatMap(([, words]) => words)
  const others = commands.map(({ path: [noun] }) => noun).filter((noun) => !listed.includes(noun))
  const topics = [...TOPICS, ['Other commands', others] as const].map(([topic, words]) => ({
    topic,
    name: topic.toLowerCase().replaceAll(' ', '-'),
    commands: words.flatMap((word) => commands.filter(({ path: [noun] }) => noun === word)),
  }))
  const index = [
    '# Commands\n',
    'What `formwire` can do, as `--help` of each command says it. In the examples, `guestvoice01` is the id of a form.\n',
    ...topics.map(({ topic, name, commands: own }) => {
      const links = own.map(
        ({ path }) => `[${path.join(' ')}](${SITE}/${name}.html#formwire-${path.join('-')})`,
      )
      return `- [${topic}](${SITE}/${name}.html): ${links.join(', ')}`
    }),
    '\n## Global options\n',
    'Every command accepts these options, before or after its name; `serve` only before it, apart from `--json`, and with `--pull` also `--base-url` and `--profile`.\n',
    optionTable(GLOBAL_OPTIONS),
  ]
  return [
    { path: 'docs/reference/commands.md', text: index.join('\n') },
    ...topics.map(({ topic, name, commands: own }) => ({
      path: `docs/reference/commands/${name}.md`,
      text: [`# Commands: ${topic}\n`, ...own.map(commandSection)].join('\n'),
    })),
  ]
}

function commandSection(command: Command): string {
  const { path, summary, fields } = command
  const args: readonly ArgumentSpec[] = command.arguments ?? []
  const alias = aliasOf(path)
  const parts = [
    `## formwire ${path.join(' ')}\n`,
    `\`${usageOf(command).replace(' [options]', '')}\`: ${summary}.${alias === undefined ? '' : ` Alias: \`formwire ${path[0]} ${alias}\`.`}\n`,
    ...(command.description ? [`${command.description.replaceAll('\n', '\n\n')}\n`] : []),
    ...(args.length > 0
      ? [
          table(
            'argument',
            args.map(({ name, description }) => [name, description]),
          ),
        ]
      : []),
    ...optionGroups(command).map(([heading, options]) => optionTable(options, heading)),
    ...Object.entries(command.examples).map(([line, does]) => `\`\`\`sh\n${line}   # ${does}\n\`\`\`\n`),
    ...(fields ? [`Fields of \`--json\`: ${fields.map((field) => `\`${field}\``).join(', ')}.\n`] : []),
    `Exit codes: ${exitCodes(command.exits)}.\n`,
  ]
  return parts.join('\n')
}

function exitCodes(exits: readonly ExitCode[]): string {
  return exitCodesOf(exits)
    .map(([code, meaning]) => `${code} ${meaning}`)
    .join(', ')
}

const optionTable = (options: readonly OptionSpec[], heading = 'Options'): string =>
  table(
    heading === 'Options' ? 'option' : heading,
    options.map((option) => [flagsOf(option), descriptionOf(option)]),
  )

function table(name: string, rows: readonly (readonly [string, string])[]): string {
  const lines = rows.map(([left, right]) => `| \`${left}\` | ${right.replaceAll('|', '\\|')} |`)
  return `| ${name} | |\n|---|---|\n${lines.join('\n')}\n`
}
