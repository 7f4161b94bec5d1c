import { defineCommand } from '../../command.ts'
import { changeProfiles, profileNamed } from '../../config/profiles.ts'
import { PROFILE } from '../../pickers/arguments.ts'

/** `formwire profiles use NAME` */
export const profilesUse = defineCommand({
  path: ['profiles', 'use'],
  summary: 'make a stored profile the current one',
  description: 'The current profile applies when neither --profile nor FORMWIRE_API_KEY is set.',
  arguments: [PROFILE],
  examples: [['formwire profiles use staging', 'make the profile "staging" the current one']],
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
