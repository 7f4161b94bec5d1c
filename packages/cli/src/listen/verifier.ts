import { DELIVERY_HEADERS } from '@formwire/contract'
import { tryVerifyWebhook, type WebhookVerificationError } from '@formwire/webhook-verify'
import { headerValue, type RawDelivery } from './delivery.ts'
import type { ReceivedDelivery } from './received-delivery.ts'

/** Whether a delivery is genuine, and what it is about. */
interface Verification {
  /** Response status if it is refused. */
  refusedWith: number | undefined
  facts: Partial<ReceivedDelivery>
}

/** Why a delivery was refused. */
type Problem = NonNullable<ReceivedDelivery['problem']>

/** Verifies the raw bytes of deliveries, and explains any failure. */
export class Verifier {
  readonly #secrets: string[]
  /** Whether an earlier delivery was verified with the same secrets. */
  #isProven = false

  /** @param secrets those of the endpoints */
  constructor(secrets: readonly string[]) {
    this.#secrets = [...secrets]
  }

  /** @param now the time on the sender's clock, in milliseconds @param sentBody the body in the server's log, if available */
  verify(delivery: RawDelivery, now: number, sentBody: Buffer | undefined): Verification {
    const result = this.#try(delivery, now)
    if (!result.ok) {
      const event = headerValue(delivery.rawHeaders, DELIVERY_HEADERS.event) ?? null
      const problem = this.#diagnose(result.error, delivery, now, sentBody)
      return { refusedWith: result.error.status, facts: { verified: false, event, problem } }
    }
    this.#isProven = true
    const payload: unknown = JSON.parse(delivery.body.toString())
    const { form, response } = payload as { form?: { id?: string }; response?: { id?: number } }
    const ids = { form_id: form?.id ?? null, response_id: response?.id ?? null }
    return { refusedWith: undefined, facts: { event: result.event.type, ...ids, payload } }
  }

  #try({ rawHeaders: headers, body }: RawDelivery, now: number) {
    return tryVerifyWebhook({ secret: this.#secrets, headers, body, now })
  }

  /** Returns the most likely cause of a verification error. */
  #diagnose(
    { code, message, hint }: WebhookVerificationError,
    delivery: RawDelivery,
    now: number,
    sentBody: Buffer | undefined,
  ): Problem {
    if (code === 'timestamp_too_old' || code === 'timestamp_in_future')
      return { code, message, hint: hint + CLOCK_HINT }
    if (code !== 'no_match') return { code, message, hint }
    if (sentBody && !sentBody.equals(delivery.body))
      return altered(
        `The body was altered in transit: the server sent ${sentBody.length} bytes, and ${delivery.body.length} different bytes arrived.`,
        'Look for a proxy between server and receiver that rewrites bodies, for example by re-serializing JSON.',
      )
    if (sentBody) return wrongSecret('The body is unchanged, so the secret is wrong.')
    if (this.#isReserialised(delivery, now))
      return altered(
        'The body was altered in transit: it verifies after re-serializing the JSON compactly.',
        'Look for a proxy or body parser that re-serializes the JSON before it is verified.',
      )
    return this.#isProven
      ? altered(
          'The signature does not match, although earlier deliveries matched this secret: the body or the timestamp was altered, or the secret was rotated.',
          hint,
        )
      : wrongSecret('The signature does not match: the secret is wrong, or the body was altered.')
  }

  /** Whether the body verifies after parsing and compact serialization, which is the service's format. */
  #isReserialised({ rawHeaders, body }: RawDelivery, now: number): boolean {
    try {
      const compact = Buffer.from(JSON.stringify(JSON.parse(body.toString())))
      return this.#try({ rawHeaders, body: compact }, now).ok
    } catch {
      return false
    }
  }
}

const CLOCK_HINT =
  ' If a reference server with a manual clock sent it, set FORMWIRE_ADMIN_TOKEN, so that listen uses its clock.'

const altered = (message: string, hint: string): Problem => ({ code: 'altered_body', message, hint })

const wrongSecret = (message: string): Problem => ({
  code: 'wrong_secret',
  message,
  hint: 'Use the secret of this endpoint, including whsec_. Rotating the secret in the app invalidates the old one immediately.',
})
