import { defineCommand } from '../command.ts'
import { COMPLETION_SCRIPTS, SHELLS, type Shell } from '../completion/scripts.ts'
import { usage } from '../failure.ts'

/** `formwire completion SHELL` */
export const completion = defineCommand({
  description: 'Completes commands, options, and the ids of your forms, which it asks the API for.',
  arguments: [{ name: '<shell>', description: SHELLS.join(', ') }],
  examples: [
    ['source <(formwire completion bash)', 'in ~/.bashrc'],
    ['formwire completion fish > ~/.config/fish/completions/formwire.fish', 'once'],
  ],
  exits: [],
  async run(context, [shell]) {
    if (!SHELLS.includes(shell as Shell))
      throw usage(`no completion for "${shell}"`, `it is there for ${SHELLS.join(', ')}`)
    await context.output.write(COMPLETION_SCRIPTS[shell as Shell])
  },
})
