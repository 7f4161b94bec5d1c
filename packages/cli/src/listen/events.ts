import type { EventResponse, FormResponse, KnownEventType, WebhookEvent } from '@formwire/contract'
import type { SleepClock } from '@formwire/internal/clock'
import type { Formwire } from '@formwire/sdk'
import type { Context } from '../context.ts'
import { failed, usage } from '../failure.ts'
import { readJsonInput } from '../input/read-input.ts'

/** Returns the body of the event, as the service sends it (DLV-03). */
const eventBody = (event: WebhookEvent): Buffer => Buffer.from(JSON.stringify(event))

/** Returns the part of a response that an event contains, in the order of the service. */
function eventResponse({ id, submitted_at, answers, score, max_score, meta }: FormResponse): EventResponse {
  return { id, submitted_at: submitted_at ?? '', answers, score, max_score, meta }
}

/** Milliseconds for which the title of a form is kept. */
const TITLE_AGE_MS = 60_000

/** Returns the bodies that deliveries of responses would have. */
export function eventBodies(client: Formwire, clock: SleepClock) {
  const titles = new Map<string, { title: string; readAt: number }>()
  /** Reads and keeps the title of a form. */
  const readTitle = async (formId: string): Promise<string> => {
    const { title } = await client.forms.get(formId)
    titles.set(formId, { title, readAt: clock.now() })
    return title
  }
  /** Returns the body of `response.submitted`. The title of the form is at most a minute old. */
  const bodyOf = async (formId: string, response: FormResponse): Promise<Buffer> => {
    const known = titles.get(formId)
    const isFresh = known && clock.now() - known.readAt < TITLE_AGE_MS
    const title = isFresh
      ? known.title
      : await readTitle(formId).catch((error: unknown) => {
          // An outage must not hold up a response that was already read.
          if (known) return known.title
          throw error
        })
    const form = { id: formId, title }
    return eventBody({ event: 'response.submitted', form, response: eventResponse(response) })
  }
  return { readTitle, bodyOf }
}

/** Returns the body of an example event at `now`, in milliseconds. */
export function sampleEvent(event: KnownEventType, now: number): Buffer {
  const submitted_at = new Date(now).toISOString()
  const form = { id: 'sample000001', title: 'Sample form' }
  return eventBody({
    event,
    form,
    // A new id each time: a receiver handles a response once.
    response: event === 'test.ping' ? pingOf(now) : { ...SAMPLE, id: now, submitted_at },
  })
}

/** Returns the body of the event of an existing response. @throws Failure exit 1 for a draft, which is never delivered */
export async function eventOfResponse(
  context: Context,
  event: KnownEventType,
  formId: string,
  responseId: number,
): Promise<Buffer> {
  const client = await context.client()
  const { id, title } = await client.forms.get(formId)
  const response = await client.responses.get(formId, responseId)
  if (response.status === 'in_progress' || response.submitted_at === null)
    throw failed('draft', `response ${responseId} is a draft: only submitted responses are delivered`)
  const now = context.runtime.clock.now()
  return eventBody({
    event,
    form: { id, title },
    response: event === 'test.ping' ? pingOf(now) : eventResponse(response),
  })
}

/** Limit for `--data`: more than a receiver accepts by default, for JSON with white space. */
const MAX_BYTES = 4 * 1024 * 1024

/** Returns the bytes of a JSON file with an event of this type. @throws Failure exit 2 */
export async function eventFromFile(context: Context, event: KnownEventType, path: string): Promise<Buffer> {
  const { name, bytes, value } = await readJsonInput(context.runtime, path, MAX_BYTES)
  const found = (value as { event?: unknown } | null)?.event
  if (found !== event)
    throw usage(
      `the "event" of ${name} must be "${event}", got ${JSON.stringify(found)?.slice(0, 80) ?? 'none'}`,
      '--data is the whole event: {"event": …, "form": {…}, "response": {…}}',
    )
  return bytes
}

/** Returns the members of an answer in the order of the service. */
const answer = (question_id: string, title: string, type: string, value: unknown, text = String(value)) =>
  ({ question_id, title, type, value, text }) as EventResponse['answers'][number]

/** The example of the service (DLV-02). */
const pingOf = (now: number): EventResponse => ({
  id: 0,
  submitted_at: new Date(now).toISOString(),
  answers: [answer('example', 'How was it?', 'short_text', 'This is a test event.')],
  score: null,
  max_score: null,
  meta: { device: null, browser: null, os: null, ref: null, utm: {} },
})

const SAMPLE: Omit<EventResponse, 'id' | 'submitted_at'> = {
  answers: [
    answer('name', 'Your name', 'short_text', 'Ada Byron'),
    answer('email', 'Your email', 'email', 'ada@example.com'),
    answer('nps', 'Would you recommend us?', 'nps', 9),
    answer(
      'topics',
      'What did you like?',
      'multiple_choice',
      { ids: ['speed', 'support'], other: null },
      'Speed, Support',
    ),
    answer('why', 'Why?', 'long_text', 'Fast and friendly.'),
  ],
  score: null,
  max_score: null,
  meta: { device: 'desktop', browser: 'Firefox', os: 'Linux', ref: null, utm: {} },
}
