import { type CatalogEntry, type CommandSpec, defineCommand } from '../command.ts'
import { type Candidate, candidates } from '../completion/candidates.ts'
import type { Context } from '../context.ts'
import { safeLine } from '../output/text-safety.ts'

/** Milliseconds that the Tab key may take. */
const TIMEOUT_MS = 1500

/**
 * `formwire __complete -- WORDS…`: prints the candidates for the last word, which is the one at the cursor. The
 * completion scripts run it.
 */
export function completeFrom(catalog: readonly CatalogEntry[]): CommandSpec {
  return defineCommand({
    arguments: [{ name: '[words...]', description: 'words of the command line, the last one at the cursor' }],
    examples: [['formwire __complete -- forms ""', 'print the words that can follow "forms"']],
    exits: [],
    async run(context, args) {
      const words = (args[0] ?? []) as unknown as string[]
      const found = await candidates(catalog, words, () => formIds(context))
      for (const { word, description } of found)
        await context.output.line(`${safeLine(word)}\t${safeLine(description)}`)
    },
  })
}

/** Returns form ids with their titles, or none after any error: completion never prints an error. */
async function formIds(context: Context): Promise<Candidate[]> {
  try {
    const client = await context.client()
    const timeout = context.runtime.clock.sleep(TIMEOUT_MS, context.runtime.stop).then(() => undefined)
    const page = await Promise.race([client.forms.list({ per_page: 100 }), timeout])
    return (page?.data ?? []).map(({ id, title }) => ({ word: id, description: title }))
  } catch {
    return []
  }
}
