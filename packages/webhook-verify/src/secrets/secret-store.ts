import type { UnverifiedRequest } from '../adapters/receiver.ts'
import { readBody } from '../verification/body.ts'

/** The secret of one endpoint, as `formwire webhooks ensure` stores it. */
export interface StoredSecret {
  workspace_id: string
  form_id: string
  webhook_id: number
  url: string
  secret: string
  /** When the endpoint was found to be deleted, in ISO 8601; null while it exists. Until it is removed, the secret is accepted. */
  removed_at: string | null
}

/** Keeps the secrets of many endpoints, and finds those of a delivery. */
export interface SecretStore {
  /**
   * Returns the secrets of the form that a delivery names, newest first, or null if there are none: the `secret` of a receiver. The body
   * is not trusted: a delivery that names another form is refused, since it is not signed with a secret of that form.
   * @throws the error of the file or database, after which a receiver responds with 503 and the service retries.
   */
  readonly secret: (request: UnverifiedRequest) => Promise<string[] | null>
  /** Returns the secrets of a workspace. */
  list(workspaceId: string): Promise<StoredSecret[]>
  /** Adds a secret, or replaces that of the same endpoint. */
  save(secret: StoredSecret): Promise<void>
  /** Removes the secret of an endpoint. */
  remove(endpoint: Pick<StoredSecret, 'form_id' | 'webhook_id'>): Promise<void>
}

/**
 * Returns the form that an unverified body names.
 * @throws WebhookVerificationError for a body that was never read, or was parsed.
 */
export function formNamedIn({ body }: UnverifiedRequest): string | undefined {
  const raw = readBody(body)
  try {
    const event: unknown = JSON.parse(typeof raw === 'string' ? raw : new TextDecoder().decode(raw))
    const id = (event as { form?: { id?: unknown } } | null)?.form?.id
    return typeof id === 'string' ? id : undefined
  } catch {
    return undefined
  }
}
