import { defineCommand } from '../../command.ts'
import { changeProfiles, type ProfileFile, removeProfile } from '../../config/profiles.ts'
import type { Context } from '../../context.ts'
import { PROFILE } from '../../pickers/arguments.ts'

/** `formwire profiles remove NAME` */
export const profilesRemove = defineCommand({
  path: ['profiles', 'remove'],
  summary: 'remove a stored profile',
  description:
    'The key stays valid: revoke it in the app when you no longer need it. After removing the current profile, select ' +
    'another one with formwire profiles use.',
  arguments: [PROFILE],
  examples: [['formwire profiles remove staging', 'remove the profile "staging" with its key']],
  exits: [3],
  fields: ['profile', 'removed', 'current'],
  async run(context, [name]) {
    await forgetProfile(context, () => name)
  },
})

/** Removes a profile and reports which one is current now. @throws Failure exit 3 */
export async function forgetProfile(context: Context, choose: (file: ProfileFile) => string): Promise<void> {
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
