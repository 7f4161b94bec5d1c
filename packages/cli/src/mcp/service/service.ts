import type { Form, FormResponse, WebhookEndpoint } from '@formwire/contract'
import type { Formwire } from '@formwire/sdk'
import type { Failure } from '../../failure.ts'
import { toFailure } from '../../report.ts'
import { kindOf } from '../argument-issue.ts'
import { REQUEST_LIMITS } from '../deadline.ts'
import { toolFailure } from '../failures.ts'
import { redacted } from '../result.ts'
import type { Session } from '../session.ts'
import type { ToolCall } from '../tool.ts'
import { isDeeperThan, MAX_DEPTH } from '../transport.ts'
import { markedText, wordOf, wordsOf } from '../untrusted.ts'

const EDITOR_HINT =
  'in an editor, set FORMWIRE_BASE_URL and FORMWIRE_API_KEY in the env of its MCP configuration; a read-only key is enough to read'

const LOCAL_HINT = 'for the local server: tool form, actions list, get and responses'

/** What a tool reads and changes the service with. */
export interface Service {
  client: Formwire
  /** Options of every request: it ends with the call, and with the program. */
  options: { signal: AbortSignal; timeoutMs: number; totalTimeoutMs: number }
  /** Removes keys and secrets from what the service has sent. */
  clean<Value>(value: Value): Value
}

/** Returns the client of the configured service. @throws Failure `no_service` without one */
export async function serviceOf({ context, flags }: Session, { mcpReq }: ToolCall): Promise<Service> {
  try {
    context.credentials()
  } catch (error) {
    const { message, hint } = toFailure(error)
    const hints = [flags.local === false ? '' : LOCAL_HINT, hint, EDITOR_HINT].filter(Boolean)
    throw toolFailure('no_service', `no service is configured: ${message}`, hints.join('; '))
  }
  return {
    client: await context.client(),
    options: { ...REQUEST_LIMITS, signal: AbortSignal.any([context.runtime.stop, mcpReq.signal]) },
    clean: (value) => redacted(value, context.secrets),
  }
}

/**
 * Returns a response that the service has sent.
 * @throws Failure `invalid_response` with the path of what the tools cannot work with
 */
export function checkedResponse(response: FormResponse): FormResponse {
  const { id } = response
  if (!Number.isSafeInteger(id)) throw unexpected('id', `must be an integer, got ${kindOf(id)}`, id)
  for (const [name, value] of Object.entries(response))
    if (isDeeperThan(value, MAX_DEPTH))
      throw unexpected(name, `has more than ${MAX_DEPTH} levels of arrays and objects`, id)
  return response
}

function unexpected(path: string, problem: string, id: unknown): Failure {
  const response = typeof id === 'number' ? `response ${id}` : 'a response'
  const message = `the service sent ${response} whose ${path} ${problem}`
  const hint = 'check the base URL: this is not as the API documents it'
  return toolFailure('invalid_response', message, hint, { details: { path } })
}

/** What a list shows of a form. */
export const formRow = (form: Form) => ({
  ...wordsOf(form, 'id'),
  title: markedText(form.title),
  ...wordsOf(form, 'status', 'response_count', 'updated_at'),
})

/** What is shown of an endpoint. A query may contain a credential of the receiver. */
export const endpointRow = (endpoint: WebhookEndpoint) => ({
  ...wordsOf(endpoint, 'id'),
  url: wordOf(typeof endpoint.url === 'string' ? endpoint.url.replace(/\?.*/s, '?[hidden]') : endpoint.url),
  ...wordsOf(endpoint, 'active', 'created_at'),
})
