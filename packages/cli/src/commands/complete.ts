import type { Formwire } from '@formwire/sdk'
import { type Command, defineCommand } from '../command.ts'
import { candidates } from '../completion/candidates.ts'
import type { Candidate, CandidateSource } from '../completion/values.ts'
import { readProfiles } from '../config/profiles.ts'
import type { Context } from '../context.ts'
import { safeLine } from '../output/text-safety.ts'

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
    examples: [['formwire __complete -- forms ""', 'print the words that can follow "forms"']],
    exits: [],
    async run(context, args) {
      const words = (args[0] ?? []) as unknown as string[]
      const found = await candidates(commands, words, sourceOf(context))
      for (const { word, description } of found)
        await context.output.line(`${safeLine(word)}\t${safeLine(description)}`)
    },
  })
}

/** Returns the source of ids and names. After any error it is empty: completion never prints an error. */
function sourceOf(context: Context): CandidateSource {
  const ask = async <Item>(
    list: (client: Formwire) => PromiseLike<{ data: readonly Item[] }>,
    candidate: (item: Item) => Candidate,
  ): Promise<Candidate[]> => {
    try {
      const client = await context.client()
      const timeout = context.runtime.clock.sleep(TIMEOUT_MS, context.runtime.stop).then(() => undefined)
      const found = ((await Promise.race([list(client), timeout]))?.data ?? []).map(candidate)
      // It would be an option, such as --base-url.
      return found.filter(({ word }) => !word.startsWith('-'))
    } catch {
      return []
    }
  }
  return {
    forms: () =>
      ask(
        (client) => client.forms.list({ per_page: 100 }),
        ({ id, title }) => ({ word: id, description: title }),
      ),
    responses: (formId) =>
      ask(
        (client) => client.responses.list(formId, { per_page: 50 }),
        ({ id, submitted_at, email }) => ({
          word: String(id),
          description: [submitted_at, email].filter(Boolean).join(' '),
        }),
      ),
    endpoints: (formId) =>
      ask(
        (client) => client.webhooks.list(formId),
        ({ id, url }) => ({ word: String(id), description: url }),
      ),
    async questions(formId) {
      const answers = await ask(
        async (client) => {
          const { data } = await client.responses.list(formId, { per_page: 50 })
          return { data: data.flatMap((response) => response.answers) }
        },
        ({ question_id, title }) => ({ word: question_id, description: title }),
      )
      return [...new Map(answers.map((one) => [one.word, one])).values()]
    },
    profiles() {
      try {
        const { profiles } = readProfiles(context.runtime)
        return Object.entries(profiles).map(([word, { base_url }]) => ({ word, description: base_url }))
      } catch {
        return []
      }
    },
  }
}
