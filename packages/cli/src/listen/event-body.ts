import type { EventResponse, FormResponse, WebhookEvent } from '@formwire/contract'
import type { SleepClock } from '@formwire/internal/clock'
import type { Formwire } from '@formwire/sdk'

/** Milliseconds for which the title of a form is kept. */
const TITLE_AGE_MS = 60_000

/** Returns the body of the event, as the service sends it (DLV-03). */
export function eventBody(event: WebhookEvent): Buffer {
  return Buffer.from(JSON.stringify(event))
}

/** Returns the part of a response that an event contains, in the order of the service. */
export function eventResponse({
  id,
  submitted_at,
  answers,
  score,
  max_score,
  meta,
}: FormResponse): EventResponse {
  return { id, submitted_at: submitted_at ?? '', answers, score, max_score, meta }
}

/** The bodies that deliveries of these responses would have. */
export class EventBodies {
  readonly #client: Formwire
  readonly #clock: SleepClock
  readonly #titles = new Map<string, { title: string; readAt: number }>()

  constructor(client: Formwire, clock: SleepClock) {
    this.#client = client
    this.#clock = clock
  }

  /** Keeps the title of a form that was just read. */
  prime({ id, title }: { id: string; title: string }): void {
    this.#titles.set(id, { title, readAt: this.#clock.now() })
  }

  /** Returns the body of `response.submitted`. The title of the form is at most a minute old. */
  async of(formId: string, response: FormResponse): Promise<Buffer> {
    const form = { id: formId, title: await this.#titleOf(formId) }
    return eventBody({ event: 'response.submitted', form, response: eventResponse(response) })
  }

  async #titleOf(formId: string): Promise<string> {
    const now = this.#clock.now()
    const known = this.#titles.get(formId)
    if (known && now - known.readAt < TITLE_AGE_MS) return known.title
    try {
      const form = await this.#client.forms.get(formId)
      this.prime(form)
      return form.title
    } catch (error) {
      // An outage must not hold up a response that was already read.
      if (known) return known.title
      throw error
    }
  }
}
