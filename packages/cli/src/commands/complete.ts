import { defineCommand } from '../command.ts'
import { type Candidate, candidates } from '../completion/candidates.ts'
import type { Context } from '../context.ts'
import { safeLine } from '../output/text-safety.ts'

/** Longer than this nobody waits for the Tab key. */
const TIMEOUT_MS = 1500

/** `formwire __complete -- WORDS…`: what the completion scripts ask. The last word is the one at the cursor. */
export const complete = defineCommand({
  arguments: [{ name: '[words...]', description: 'words of the command line, the last one at the cursor' }],
  examples: [['formwire __complete -- forms ""', 'what may follow "forms"']],
  exits: [],
  async run(context, args) {
    const words = (args[0] ?? []) as unknown as string[]
    const found = await candidates(context.catalog, words, () => formIds(context))
    for (const { word, description } of found)
      await context.output.line(`${safeLine(word)}\t${safeLine(description)}`)
  },
})

/** Form ids with their titles. Completion never speaks up: whatever goes wrong there are none. */
async function formIds(context: Context): Promise<Candidate[]> {
  try {
    const client = await context.client()
    const late = context.runtime.clock.sleep(TIMEOUT_MS, context.runtime.stop).then(() => undefined)
    const page = await Promise.race([client.forms.list({ per_page: 100 }), late])
    return (page?.data ?? []).map(({ id, title }) => ({ word: id, description: title }))
  } catch {
    return []
  }
}
