import type { OptionSpec, OptionsOf } from '../command.ts'
import { count } from '../input/parse.ts'

/** Formats of a generated file. */
export const TYPES_FORMATS = ['ts', 'zod', 'json-schema'] as const

/** A format of a generated file. */
export type TypesFormat = (typeof TYPES_FORMATS)[number]

/** The options of `types`. */
export const TYPES_OPTIONS = [
  { name: 'out', value: 'file', description: 'replace this file', default: 'print the module' },
  {
    name: 'format',
    value: 'format',
    description: TYPES_FORMATS.join(', '),
    default: 'ts',
    choices: TYPES_FORMATS,
  },
  {
    name: 'sample',
    value: 'n',
    description: 'read only the newest n responses of each form',
    default: 'all',
    parse: count,
  },
  {
    name: 'check',
    value: 'file',
    description: 'compare the forms with a file that this command has written',
  },
] as const satisfies readonly OptionSpec[]

/** The options of `types`, as they are parsed. */
export type TypesFlags = OptionsOf<typeof TYPES_OPTIONS>
