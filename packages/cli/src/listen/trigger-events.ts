import type { EventResponse, KnownEventType } from '@formwire/contract'
import type { Context } from '../context.ts'
import { EXIT } from '../exit.ts'
import { Failure, usage } from '../failure.ts'
import { readJsonInput } from '../input/read-input.ts'
import { eventBody, eventResponse } from './event-body.ts'

/** Limit for `--data`: more than a receiver accepts by default, for JSON with white space. */
const MAX_BYTES = 4 * 1024 * 1024

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
  if (response.status === 'in_progress' || response.submitted_at === null) {
    throw new Failure(`response ${responseId} is a draft: only submitted responses are delivered`, {
      exitCode: EXIT.failed,
      code: 'draft',
    })
  }
  const form = { id, title }
  const now = context.runtime.clock.now()
  return eventBody({ event, form, response: event === 'test.ping' ? pingOf(now) : eventResponse(response) })
}

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

const META = { device: 'desktop', browser: 'Firefox', os: 'Linux', ref: null, utm: {} }

/** The example of the service (DLV-02). */
function pingOf(now: number): EventResponse {
  const text = 'This is a test event.'
  return {
    id: 0,
    submitted_at: new Date(now).toISOString(),
    answers: [{ question_id: 'example', title: 'How was it?', type: 'short_text', value: text, text }],
    score: null,
    max_score: null,
    meta: { device: null, browser: null, os: null, ref: null, utm: {} },
  }
}

const SAMPLE: Omit<EventResponse, 'id' | 'submitted_at'> = {
  answers: [
    { question_id: 'name', title: 'Your name', type: 'short_text', value: 'Ada Byron', text: 'Ada Byron' },
    {
      question_id: 'email',
      title: 'Your email',
      type: 'email',
      value: 'ada@example.com',
      text: 'ada@example.com',
    },
    { question_id: 'nps', title: 'Would you recommend us?', type: 'nps', value: 9, text: '9' },
    {
      question_id: 'topics',
      title: 'What did you like?',
      type: 'multiple_choice',
      value: { ids: ['speed', 'support'], other: null },
      text: 'Speed, Support',
    },
    {
      question_id: 'why',
      title: 'Why?',
      type: 'long_text',
      value: 'Fast and friendly.',
      text: 'Fast and friendly.',
    },
  ],
  score: null,
  max_score: null,
  meta: META,
}
