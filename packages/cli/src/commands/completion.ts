import { defineCommand } from '../command.ts'
import { SHELLS, type Shell } from '../completion/shells.ts'
import { usage } from '../failure.ts'

/** `formwire completion SHELL` */
export const completion = defineCommand({
  path: ['completion'],
  summary: 'print a completion script for bash, zsh, fish or PowerShell',
  description:
    'Completes commands, options, their values where only some are possible, and the ids of forms (queries the API).',
  arguments: [{ name: '<shell>', description: SHELLS.join(', ') }],
  examples: [
    ['source <(formwire completion bash)', 'in ~/.bashrc: complete in bash'],
    [
      'formwire completion powershell | Out-String | Invoke-Expression',
      'in $PROFILE: complete in PowerShell',
    ],
    ['formwire completion fish > ~/.config/fish/completions/formwire.fish', 'install once for fish'],
  ],
  exits: [],
  async run(context, [shell]) {
    if (!SHELLS.includes(shell as Shell))
      throw usage(`no completion for "${shell}"`, `supported shells: ${SHELLS.join(', ')}`)
    const { COMPLETION_SCRIPTS } = await import('../completion/scripts.ts')
    await context.output.write(COMPLETION_SCRIPTS[shell as Shell])
  },
})
