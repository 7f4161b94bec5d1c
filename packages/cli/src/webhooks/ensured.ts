import type { WebhookEndpoint } from '@formwire/contract'

/** What `webhooks ensure` did with one form. */
export interface Ensured {
  form_id: string
  webhook_id: number | null
  url: string
  /** `replaced`: created, and an endpoint with an unknown secret was deleted. */
  result: 'created' | 'kept' | 'replaced' | 'failed'
  /** Whether the service sends responses to the endpoint; null if the form failed. */
  active: WebhookEndpoint['active'] | null
  error: { code: string; message: string } | null
}

/** The members of a line of the result. */
export const ENSURED_FIELDS = [
  'form_id',
  'webhook_id',
  'url',
  'result',
  'active',
  'error',
] as const satisfies readonly (keyof Ensured)[]
