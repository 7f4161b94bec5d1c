import { defineCommand } from '../command.ts'
import { readProfiles } from '../config/profiles.ts'
import { EXIT } from '../exit.ts'
import { Failure } from '../failure.ts'
import { forgetProfile } from './profiles/remove.ts'

/** `formwire logout` */
export const logout = defineCommand<{ profile?: string }>({
  path: ['logout'],
  summary: 'remove a stored profile',
  description:
    'Removes the current profile, or the one named by --profile. The key stays valid: revoke it in the app when you no ' +
    'longer need it.',
  examples: [['formwire logout --profile staging', 'remove the profile "staging"']],
  exits: [3, 4],
  fields: ['profile', 'removed', 'current'],
  async run(context, _args, options) {
    const file = readProfiles(context.runtime)
    const name = options.profile ?? file.current
    if (name === null) {
      const known = Object.keys(file.profiles)
      throw new Failure('not logged in: no profile is current', {
        exitCode: EXIT.notAllowed,
        code: 'no_key',
        ...(known.length > 0 ? { hint: `name one with --profile: ${known.join(', ')}` } : {}),
      })
    }
    await forgetProfile(context, file, name)
  },
})
