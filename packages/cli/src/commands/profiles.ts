import { defineCommand } from '../command.ts'
import {
  changeProfiles,
  type ProfileFile,
  profileNamed,
  readProfiles,
  removeProfile,
} from '../config/profiles.ts'
import type { Context } from '../context.ts'
import { notAllowed } from '../failure.ts'
import { FORMAT_OPTION, LIMIT_OPTION, showItems } from '../lists/list.ts'
import type { Column } from '../output/table.ts'
import { PROFILE } from '../pickers/arguments.ts'

const FIELDS = ['name', 'base_url', 'current'] as const

/** `formwire profiles list` */
export const profilesList = defineCommand({
  path: ['profiles', 'list'],
  summary: 'list the stored profiles',
  description:
    'When piped, prints tab-separated: name, server, "current" for the current one. Keys are never shown.',
  options: [LIMIT_OPTION, FORMAT_OPTION],
  examples: {
    'formwire profiles list': 'list the stored profiles with their servers',
    'formwire profiles list --json=name,current': 'print the names as JSON and mark the current one',
  },
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

/** `formwire profiles use NAME` */
export const profilesUse = defineCommand({
  path: ['profiles', 'use'],
  summary: 'make a stored profile the current one',
  description: 'The current profile applies when neither --profile nor FORMWIRE_API_KEY is set.',
  arguments: [PROFILE],
  examples: { 'formwire profiles use staging': 'make the profile "staging" the current one' },
  exits: [3],
  fields: ['name', 'base_url', 'current'],
  async run(context, [name]) {
    const { base_url } = await changeProfiles(context.runtime, (file) => {
      file.current = name
      return profileNamed(file, name)
    })
    if (context.output.json) await context.output.document({ name, base_url, current: true })
    context.output.note(`the current profile is "${name}" (${base_url})`, 'good')
    if (context.runtime.env.FORMWIRE_API_KEY) {
      context.output.announce('overridden', 'FORMWIRE_API_KEY is set and overrides the current profile')
    }
  },
})

/** `formwire profiles remove NAME` */
export const profilesRemove = defineCommand({
  path: ['profiles', 'remove'],
  summary: 'remove a stored profile',
  description:
    'The key stays valid: revoke it in the app when you no longer need it. After removing the current profile, select ' +
    'another one with formwire profiles use.',
  arguments: [PROFILE],
  examples: { 'formwire profiles remove staging': 'remove the profile "staging" with its key' },
  exits: [3],
  fields: ['profile', 'removed', 'current'],
  async run(context, [name]) {
    await forgetProfile(context, () => name)
  },
})

/** Removes a profile and reports which one is current now. @throws Failure exit 3 */
async function forgetProfile(context: Context, choose: (file: ProfileFile) => string): Promise<void> {
  const { file, name, which } = await changeProfiles(context.runtime, (file) => {
    const name = choose(file)
    const which = name === file.current ? 'the current profile' : 'profile'
    removeProfile(file, name)
    return { file, name, which }
  })
  const { output } = context
  if (output.json) await output.document({ profile: name, removed: true, current: file.current })
  const [other] = Object.keys(file.profiles)
  const next =
    file.current === null
      ? other === undefined
        ? ''
        : `; no profile is current: run formwire profiles use ${other}`
      : `; the current profile is "${file.current}"`
  output.note(`removed ${which} "${name}"${next}`, 'good')
}

/** `formwire logout` */
export const logout = defineCommand({
  path: ['logout'],
  summary: 'remove a stored profile',
  description:
    'Removes the current profile, or the one named by --profile. The key stays valid: revoke it in the app when you no ' +
    'longer need it.',
  examples: { 'formwire logout --profile staging': 'remove the profile "staging"' },
  exits: [3, 4],
  fields: ['profile', 'removed', 'current'],
  async run(context) {
    await forgetProfile(context, ({ current, profiles }) => {
      const name = context.global.profile ?? current
      if (name !== null) return name
      const known = Object.keys(profiles)
      const hint = known.length > 0 ? `name one with --profile: ${known.join(', ')}` : undefined
      throw notAllowed('no_key', 'not logged in: no profile is current', hint)
    })
  },
})
