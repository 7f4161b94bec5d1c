import { defineCommand } from '../../command.ts'
import { readProfiles } from '../../config/profiles.ts'
import { FORMAT_OPTION, LIMIT_OPTION } from '../../lists/list-options.ts'
import { showItems } from '../../lists/show.ts'
import type { Column } from '../../output/table.ts'

const FIELDS = ['name', 'base_url', 'current'] as const

/** `formwire profiles list` */
export const profilesList = defineCommand({
  path: ['profiles', 'list'],
  summary: 'list the stored profiles',
  description:
    'When piped, prints tab-separated: name, server, "current" for the current one. Keys are never shown.',
  options: [LIMIT_OPTION, FORMAT_OPTION],
  examples: [
    ['formwire profiles list', 'list the stored profiles with their servers'],
    ['formwire profiles list --json=name,current', 'print the names as JSON and mark the current one'],
  ],
  exits: [],
  fields: FIELDS,
  async run(context, _args, options) {
    const { current, profiles } = readProfiles(context.runtime)
    const rows = Object.entries(profiles).map(([name, { base_url }]) => ({
      name,
      base_url,
      current: name === current,
    }))
    const view = { nouns: ['profile', 'profiles'], columns: COLUMNS, fields: FIELDS } as const
    await showItems(context, rows, view, options)
  },
})

const COLUMNS: readonly Column<{ name: string; base_url: string; current: boolean }>[] = [
  { header: 'Name', text: ({ name }) => name },
  { header: 'Server', text: ({ base_url }) => base_url, shrinks: 'apart' },
  {
    header: 'Current',
    text: ({ current }) => (current ? 'current' : ''),
    pen: ({ current }) => (current ? 'green' : undefined),
  },
]
