import { type Command, defineCommand } from '../command.ts'
import type { Candidate } from '../completion/candidates.ts'
import { SHELLS, type Shell } from '../completion/shells.ts'
import type { Context } from '../context.ts'
import { usage } from '../failure.ts'
import { safeLine } from '../output/text-safety.ts'

/** `formwire completion SHELL` */
export const completion = defineCommand({
  path: ['completion'],
  summary: 'print a completion script for bash, zsh, fish or PowerShell',
  description:
    'Completes commands, options, their values where only some are possible, and the ids of forms (queries the API).',
  arguments: [{ name: '<shell>', description: SHELLS.join(', ') }],
  examples: {
    'source <(formwire completion bash)': 'in ~/.bashrc: complete in bash',
    'formwire completion powershell | Out-String | Invoke-Expression': 'in $PROFILE: complete in PowerShell',
    'formwire completion fish > ~/.config/fish/completions/formwire.fish': 'install once for fish',
  },
  exits: [],
  async run(context, [shell]) {
    if (!SHELLS.includes(shell as Shell))
      throw usage(`no completion for "${shell}"`, `supported shells: ${SHELLS.join(', ')}`)
    const { COMPLETION_SCRIPTS } = await import('../completion/scripts.ts')
    await context.output.write(COMPLETION_SCRIPTS[shell as Shell])
  },
})

/** Milliseconds that the Tab key may take. */
const TIMEOUT_MS = 1500

/**
 * `formwire __complete -- WORDS…`: prints the candidates for the last word, which is the one at the cursor. The
 * completion scripts run it.
 */
export function completeFrom(commands: readonly Command[]): Command {
  return defineCommand({
    path: ['__complete'],
    summary: 'print completion candidates for a completion script',
    hidden: true,
    arguments: [{ name: '[words...]', description: 'words of the command line, the last one at the cursor' }],
    examples: { 'formwire __complete -- forms ""': 'print the words that can follow "forms"' },
    exits: [],
    async run(context, [words]) {
      const { candidates } = await import('../completion/candidates.ts')
      for (const { word, description } of await candidates(commands, words, () => formsOf(context)))
        await context.output.line(`${safeLine(word)}\t${safeLine(description)}`)
    },
  })
}

/** Returns the forms of the API, and none after any error: completion never prints one. */
async function formsOf(context: Context): Promise<Candidate[]> {
  try {
    const client = await context.client()
    const timeout = context.runtime.clock.sleep(TIMEOUT_MS, context.runtime.stop).then(() => undefined)
    const page = await Promise.race([client.forms.list({ per_page: 100 }), timeout])
    const found = page?.data.map(({ id, title }) => ({ word: id, description: title })) ?? []
    // It would be an option, such as --base-url.
    return found.filter(({ word }) => !word.startsWith('-'))
  } catch {
    return []
  }
}
