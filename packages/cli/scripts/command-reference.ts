import { COMMANDS } from '../src/all-commands.ts'
import { aliasOf, type Command, type OptionSpec } from '../src/command.ts'
import { GLOBAL_OPTIONS } from '../src/command-line/global-options.ts'
import type { ExitCode } from '../src/exit.ts'
import { exitCodesOf, optionGroups, usageOf } from '../src/help/help.ts'

/** Returns the README's command reference, generated from the same data as `--help`. */
export function commandReference(): string {
  const commands = COMMANDS.filter(({ hidden }) => !hidden).map(commandSection)
  return [
    '### Global options\n',
    'Every command accepts these options, before or after its name; `serve` only before it, apart from `--json`, and with `--pull` also `--base-url` and `--profile`.\n',
    optionTable(GLOBAL_OPTIONS),
    ...commands,
  ].join('\n')
}

function commandSection(command: Command): string {
  const { path, summary, arguments: args = [], fields } = command
  const alias = aliasOf(path)
  const parts = [
    `### formwire ${path.join(' ')}\n`,
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
    ...command.examples.map(([line, does]) => `\`\`\`sh\n${line}   # ${does}\n\`\`\`\n`),
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
    options.map(({ flags, description }) => [flags, description]),
  )

function table(name: string, rows: readonly (readonly [string, string])[]): string {
  const lines = rows.map(([left, right]) => `| \`${left}\` | ${right.replaceAll('|', '\\|')} |`)
  return `| ${name} | |\n|---|---|\n${lines.join('\n')}\n`
}
