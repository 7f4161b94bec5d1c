import { COMMANDS } from './all-commands.ts'
import { rootHelp } from './help/help.ts'

/** The output of `formwire --help`. In the build, this module is only its text: nothing else is loaded to print it. */
export const ROOT_HELP: string = rootHelp(COMMANDS, undefined)
