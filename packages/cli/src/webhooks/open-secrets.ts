import { createFileSecrets, createPostgresSecrets, type SecretStore } from '@formwire/webhook-verify/secrets'
import type { Context } from '../context.ts'
import { fileFailure, fileProblem, usage } from '../failure.ts'
import type { PostgresTarget } from '../input/database-target.ts'
import { databaseFailure } from '../sync/store.ts'

/** Where secrets are kept. */
export type SecretsTarget = { kind: 'file'; path: string } | PostgresTarget

/** What writes secrets. Its errors are failures. */
export type SecretsWriter = Pick<SecretStore, 'list' | 'save' | 'remove'>

/** Opens a store of secrets until the command ends. */
export async function openSecrets(context: Context, target: SecretsTarget): Promise<SecretsWriter> {
  if (target.kind === 'file') {
    const { path } = target
    return failing(createFileSecrets(path), (error, isRead) => {
      if (fileProblem(error) === undefined) return usage((error as Error).message.replace(/\.$/, ''))
      return fileFailure(isRead ? `read ${path}` : `write ${path}`, error)
    })
  }
  const { postgresStore } = await import('@formwire/sync/postgres')
  const store = postgresStore(target.url === undefined ? {} : { connectionString: target.url })
  context.onExit(() => store.close())
  const pool = {
    query: ({ text, values }: { text: string; values?: unknown[] }) =>
      store.transaction('webhook secrets', (_session, transaction) => transaction.query(text, values)),
  }
  // The cause is the error of the pool, which says what to do.
  return failing(createPostgresSecrets({ pool }), (error) => databaseFailure((error as Error).cause))
}

function failing(store: SecretStore, failureOf: (error: unknown, isRead: boolean) => unknown): SecretsWriter {
  const rethrow =
    (isRead: boolean) =>
    (error: unknown): never => {
      throw failureOf(error, isRead)
    }
  return {
    list: (workspaceId) => store.list(workspaceId).catch(rethrow(true)),
    save: (secret) => store.save(secret).catch(rethrow(false)),
    remove: (endpoint) => store.remove(endpoint).catch(rethrow(false)),
  }
}
