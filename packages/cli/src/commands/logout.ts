import { defineCommand } from '../command.ts'
import { EXIT } from '../exit.ts'
import { Failure } from '../failure.ts'
import { forgetProfile } from './profiles/remove.ts'

/** `formwire logout` */
export const logout = defineCommand({
  path: ['logout'],
  summary: 'remove a stored profile',
  description:
    'Removes the current profile, or the one named by --profile. The key stays valid: revoke it in the app when you no ' +
    'longer need it.',
  examples: [['formwire logout --profile staging', 'remove the profile "staging"']],
  exits: [3, 4],
  fields: ['profile', 'removed', 'current'],
  async run(context) {
    await forgetProfile(context, ({ current, profiles }) => {
      const name = context.global.profile ?? current
      if (name !== null) return name
      const known = Object.keys(profiles)
      throw new Failure('not logged in: no profile is current', {
        exitCode: EXIT.notAllowed,
        code: 'no_key',
        ...(known.length > 0 ? { hint: `name one with --profile: ${known.join(', ')}` } : {}),
      })
    })
  },
})
