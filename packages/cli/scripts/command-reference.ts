import { CATALOG } from '../src/catalog.ts'
import { aliasOf, type CatalogEntry, type OptionSpec } from '../src/command.ts'
import { GLOBAL_OPTIONS } from '../src/command-line/global-options.ts'
import type { ExitCode } from '../src/exit.ts'
import { exitCodesOf, usageOf } from '../src/help/help.ts'

/** Returns the README's command reference, generated from the same data as `--help`. */
export function commandReference(): string {
  const commands = CATALOG.filter(({ hidden }) => !hidden).map(commandSection)
  return [
    '### Global options\n',
    'Every command accepts these options, before or after its name.\n',
    optionTable(GLOBAL_OPTIONS),
    ...commands,
  ].join('\n')
}

function commandSection({ path, summary, spec }: CatalogEntry): string {
  const args = spec.arguments ?? []
  const alias = aliasOf(path)
  const parts = [
    `### formwire ${path.join(' ')}\n`,
    `\`${usageOf(path, spec).replace(' [options]', '')}\`: ${summary}.${alias === undefined ? '' : ` Alias: \`formwire ${path[0]} ${alias}\`.`}\n`,
    ...(spec.description ? [`${spec.description.replaceAll('\n', '\n\n')}\n`] : []),
    ...(args.length > 0
      ? [
          table(
            'argument',
            args.map(({ name, description }) => [name, description]),
          ),
        ]
      : []),
    ...(spec.options?.length ? [optionTable(spec.options)] : []),
    ...spec.examples.map(([line, does]) => `\`\`\`sh\n${line}   # ${does}\n\`\`\`\n`),
    ...(spec.fields
      ? [`Fields of \`--json\`: ${spec.fields.map((field) => `\`${field}\``).join(', ')}.\n`]
      : []),
    `Exit codes: ${exitCodes(spec.exits)}.\n`,
  ]
  return parts.join('\n')
}

function exitCodes(exits: readonly ExitCode[]): string {
  return exitCodesOf(exits)
    .map(([code, meaning]) => `${code} ${meaning}`)
    .join(', ')
}

const optionTable = (options: readonly OptionSpec[]): string =>
  table(
    'option',
    options.map(({ flags, description }) => [flags, description]),
  )

function table(name: string, rows: readonly (readonly [string, string])[]): string {
  const lines = rows.map(([left, right]) => `| \`${left}\` | ${right.replaceAll('|', '\\|')} |`)
  return `| ${name} | |\n|---|---|\n${lines.join('\n')}\n`
}
