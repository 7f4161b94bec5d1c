import type { EventForm, EventResponse } from '@formwire/contract'
import { type VerifiedEvent, verifyWebhook } from '@formwire/webhook-verify'
import { expect, expectTypeOf, it } from 'vitest'
import { GOOD } from './support.ts'

it('narrows an event by its type, including types of later versions', () => {
  const event = verifyWebhook(GOOD)
  expect(event.type).toBe('response.submitted')
  expectTypeOf(event).toEqualTypeOf<VerifiedEvent>()
  expectTypeOf(event.deliveryId).toEqualTypeOf<string | null>()
  expectTypeOf(event.timestamp).toEqualTypeOf<Date>()
  switch (event.type) {
    case 'response.submitted':
    case 'test.ping':
      expectTypeOf(event.form).toEqualTypeOf<EventForm>()
      expectTypeOf(event.response).toEqualTypeOf<EventResponse>()
      break
    default:
      expectTypeOf(event.type).toExtend<string>()
      expectTypeOf(event.payload).toEqualTypeOf<Record<string, unknown>>()
      expect.fail('the event has a documented type')
  }
})

it('narrows the value of an answer by its type', () => {
  const event = verifyWebhook(GOOD)
  if (event.type !== 'response.submitted') expect.fail('another type')
  for (const answer of event.response.answers) {
    if (answer.type !== 'rating') expect.fail('another type')
    expectTypeOf(answer.value).toEqualTypeOf<number>()
    expect(answer.value).toBe(5)
  }
})
