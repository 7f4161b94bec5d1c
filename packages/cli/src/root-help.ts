import { Chalk } from 'chalk'
import { COMMANDS } from './all-commands.ts'
import { bareHelp, rootHelp } from './help/help.ts'
import { type Pens, PLAIN_PENS } from './output/pens.ts'

export { colourLevel } from './output/colour-level.ts'

const pages = (pens: Pens): { full: string; bare: string } => ({
  full: rootHelp(COMMANDS, { columns: undefined, pens }),
  bare: bareHelp(COMMANDS, { columns: undefined, pens }),
})

/**
 * The output of `formwire --help`, and of `formwire` alone, by colour level. In the build, this module is only these texts and
 * `colourLevel`: nothing else is loaded to print them.
 */
export const HELP = [pages(PLAIN_PENS), pages(new Chalk({ level: 1 }))] as const
