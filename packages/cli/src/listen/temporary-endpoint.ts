import type { CreatedWebhookEndpoint, WebhookEndpoint } from '@formwire/contract'
import { isForeignPage } from '@formwire/internal/foreign-page'
import type { Formwire } from '@formwire/sdk'
import type { Context } from '../context.ts'
import { EXIT, type ExitCode } from '../exit.ts'
import { Failure } from '../failure.ts'
import { isMissing } from '../report.ts'
import { asClause, reasonOf, type ServiceError } from '../service-message.ts'

/** Timeout of the deletion on exit, in milliseconds. */
const CLEANUP_TIMEOUT_MS = 5_000

/** The endpoints of a run, which are deleted when the command ends for any reason. */
export class TemporaryEndpoints {
  readonly #context: Context
  readonly #client: Formwire
  readonly #deletions: (() => Promise<void>)[] = []

  constructor(context: Context, client: Formwire) {
    this.#context = context
    this.#client = client
  }

  /**
   * Creates an endpoint. Its cleanup is registered before the request is sent, so that a signal in between leaves no
   * endpoint behind. `known` are the endpoints that existed before, which are never deleted. @throws Failure exit 1 if the
   * service refuses the URL, exit 4 if the key may not create endpoints
   */
  async create(
    formId: string,
    url: string,
    known: readonly WebhookEndpoint[],
    isPublic: boolean,
  ): Promise<CreatedWebhookEndpoint> {
    const context = this.#context
    let id: number | null = null
    const creating = this.#client.webhooks.create(formId, { url })
    const remove = async (): Promise<void> => {
      const created = await creating.then(
        (endpoint) => endpoint.id,
        () => undefined,
      )
      const knownIds = new Set(known.map(({ id }) => id))
      const ids = created === undefined ? await this.#idsLeftBehind(formId, url, knownIds) : [created]
      for (const one of ids) await this.#delete(formId, one)
    }
    const cancel = context.onExit(remove, () => this.#reportForced(formId, id))
    this.#deletions.push(async () => {
      await remove()
      cancel()
    })
    try {
      const endpoint = await creating
      id = endpoint.id
      context.hide(endpoint.secret)
      return endpoint
    } catch (error) {
      throw refusal(error, formId, url, isPublic) ?? error
    }
  }

  /** Deletes the endpoints before the command ends. */
  async deleteAll(): Promise<void> {
    for (const remove of this.#deletions.splice(0)) await remove()
  }

  /** Returns the ids of endpoints created by a request whose response was lost, found by their URL. */
  async #idsLeftBehind(formId: string, url: string, known: ReadonlySet<number>): Promise<number[]> {
    try {
      const { data } = await this.#client.webhooks.list(formId, { totalTimeoutMs: CLEANUP_TIMEOUT_MS })
      return data
        .filter((endpoint) => endpoint.url === url && !known.has(endpoint.id))
        .map((endpoint) => endpoint.id)
    } catch {
      this.#reportForced(formId, null)
      return []
    }
  }

  async #delete(formId: string, id: number): Promise<void> {
    try {
      await this.#client.webhooks.delete(formId, id, { totalTimeoutMs: CLEANUP_TIMEOUT_MS })
      this.#context.output.note(`deleted temporary endpoint ${id} on form ${formId}`, 'good')
    } catch (error) {
      // Already deleted, or its form was.
      if (isMissing(error)) return
      this.#context.output.announce(
        'endpoint_left',
        `could not delete the temporary endpoint ${id}; run: formwire webhooks delete ${formId} ${id} --yes`,
        { form_id: formId, webhook_id: id },
      )
    }
  }

  /** Reports that the command ends and an endpoint may be left. */
  #reportForced(formId: string, id: number | null): void {
    const text =
      id === null
        ? `a temporary endpoint on form ${formId} may still exist; see formwire webhooks list ${formId}`
        : `the temporary endpoint ${id} on form ${formId} may still exist; to delete it, run: formwire webhooks delete ${formId} ${id} --yes`
    this.#context.output.announce('endpoint_left', text, { form_id: formId, webhook_id: id })
  }
}

/**
 * Returns the failure for a URL that the service refuses (HOOK-04), or for a key that may not create endpoints but read responses;
 * undefined for another error.
 */
function refusal(error: unknown, formId: string, url: string, isPublic: boolean): Failure | undefined {
  const { status, details, code, requestId, method, path } = error as ServiceError & {
    status?: number
    code?: string
    requestId?: string
    details?: Record<string, unknown>
  }
  const reason = reasonOf(error)
  const poll = `formwire listen --form ${formId} --poll`
  const refused = (message: string, exitCode: ExitCode, ...hint: readonly string[]): Failure =>
    new Failure(`${message}: ${asClause(reason)}`, {
      exitCode,
      code: code ?? `http_${status}`,
      status,
      details,
      requestId,
      request: `${method} ${path}`,
      hint: hint.join('\n'),
      cause: error,
    })
  if (isForeignPage(error)) return undefined
  if (status === 403) {
    return refused(
      `could not listen to form ${formId}`,
      EXIT.notAllowed,
      'an endpoint requires a write key of an owner or editor: see formwire whoami',
      `a read key can follow the form through the API: ${poll}`,
    )
  }
  if (status !== 422 || details?.field !== 'url') return undefined
  const follow = `follow the form through the API instead, without an endpoint: ${poll}`
  return isPublic
    ? refused(
        `the service refused the endpoint URL ${url}`,
        EXIT.failed,
        '--public-url must be an https URL that the service can reach',
        follow,
      )
    : refused(
        `the service cannot reach this machine at ${url}`,
        EXIT.failed,
        follow,
        'or register the URL of a tunnel to this machine: --public-url https://…',
      )
}
