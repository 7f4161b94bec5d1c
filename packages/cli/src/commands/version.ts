import { defineCommand } from '../command.ts'
import { version } from '../version.ts'

/** `formwire version` */
export const printVersion = defineCommand({
  path: ['version'],
  summary: 'print the version',
  description: 'The same as --version.',
  examples: [['formwire version', 'print the version']],
  exits: [],
  async run(context) {
    if (context.output.json) await context.output.document({ version })
    else await context.output.line(version)
  },
})
