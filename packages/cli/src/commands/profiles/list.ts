import { defineCommand } from '../../command.ts'
import { readProfiles } from '../../config/profiles.ts'
import type { Column } from '../../output/table.ts'

/** `formwire profiles list` */
export const profilesList = defineCommand({
  description:
    'When piped, prints tab-separated: name, server, "current" for the current one. Keys are never shown.',
  examples: [
    ['formwire profiles list', 'list the stored profiles with their servers'],
    ['formwire profiles list --json name,current', 'print the names as JSON and mark the current one'],
  ],
  exits: [],
  fields: ['name', 'base_url', 'current'],
  async run(context) {
    const { current, profiles } = readProfiles(context.runtime)
    const rows = Object.entries(profiles).map(([name, { base_url }]) => ({
      name,
      base_url,
      current: name === current,
    }))
    await context.output.list(rows, COLUMNS)
    if (rows.length === 0) context.output.note('no profiles found; store one: formwire login')
  },
})

const COLUMNS: readonly Column<{ name: string; base_url: string; current: boolean }>[] = [
  { header: 'Name', text: ({ name }) => name },
  { header: 'Server', text: ({ base_url }) => base_url, shrinks: true },
  {
    header: 'Current',
    text: ({ current }) => (current ? 'current' : ''),
    pen: ({ current }) => (current ? 'green' : undefined),
  },
]
