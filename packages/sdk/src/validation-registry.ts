import type { AnswerSchemas } from './answers.ts'
import { type SchemaDriftError, UsageError } from './errors/client-errors.ts'
import type { RequestFacts } from './errors/formwire-error.ts'

/** Name of a documented schema. */
export type SchemaName = 'me' | 'form' | 'response' | 'webhookEndpoint' | 'createdWebhookEndpoint' | 'deleted'

/**
 * Returns an error with every place where an envelope differs from its documented schema, or, for responses, from the schema of their
 * form in `answerSchemas`. `undefined` without differences. Unknown fields, statuses and question types are not differences
 * (ENV-04). Values are omitted because they may be personal data.
 *
 * @throws UsageError for an answer schema that validates asynchronously.
 */
export type FindDrift = (
  name: SchemaName,
  shape: string,
  envelope: unknown,
  request: RequestFacts,
  answerSchemas?: AnswerSchemas,
) => SchemaDriftError | undefined

type LoadValidation = () => Promise<FindDrift>

/** A registered symbol, so that duplicate copies of the package find the one that a bundle contains. */
const REGISTERED = Symbol.for('@formwire/sdk/validate')

const registry = globalThis as { [REGISTERED]?: LoadValidation }

/** Makes the entry point `/validate` available to clients in the same bundle. */
export function registerValidation(load: LoadValidation): void {
  registry[REGISTERED] = load
}

/**
 * Loads the entry point `/validate`. Bundlers cannot follow the import, so that an application bundles without zod.
 *
 * @throws UsageError if zod or the entry point cannot be loaded.
 */
export async function loadValidation(entry = '@formwire/sdk/validate'): Promise<FindDrift> {
  const load = registry[REGISTERED] ?? (await importValidation(entry))
  return load()
}

async function importValidation(entry: string): Promise<LoadValidation> {
  try {
    const loaded: { loadValidation: LoadValidation } = await import(
      /* webpackIgnore: true */ /* @vite-ignore */ entry
    )
    return loaded.loadValidation
  } catch (cause) {
    throw new UsageError(
      `"validate" could not load ${entry}; in a bundle, import it yourself.`,
      {},
      { cause },
    )
  }
}
