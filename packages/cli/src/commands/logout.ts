import { defineCommand } from '../command.ts'
import { checkProfileName, readProfiles, writeProfiles } from '../config/profiles.ts'
import { EXIT } from '../exit.ts'
import { Failure } from '../failure.ts'

/** `formwire logout` */
export const logout = defineCommand<{ profile?: string }>({
  description:
    'Removes the current profile, or the one named by --profile. The key stays valid: revoke it in the app when you no ' +
    'longer need it.',
  examples: [['formwire logout --profile staging', 'remove the profile "staging"']],
  exits: [4],
  async run(context, _args, options) {
    const file = readProfiles(context.runtime)
    const name = options.profile === undefined ? file.current : checkProfileName(options.profile)
    if (name === null || !Object.hasOwn(file.profiles, name)) {
      const known = Object.keys(file.profiles)
      throw new Failure(name === null ? 'no profile is stored' : `no profile "${name}"`, {
        exitCode: EXIT.notAllowed,
        code: 'no_key',
        ...(known.length > 0 ? { hint: `known profiles: ${known.join(', ')}` } : {}),
      })
    }
    delete file.profiles[name]
    if (file.current === name) file.current = Object.keys(file.profiles)[0] ?? null
    writeProfiles(context.runtime, file)
    if (context.output.json)
      await context.output.document({ profile: name, removed: true, current: file.current })
    context.output.note(
      `removed profile "${name}"${file.current === null ? '' : `; the current profile is "${file.current}"`}`,
    )
  },
})
