import { describe, expect, expectTypeOf, it } from 'vitest'
import { checkedByCompiler } from '../../../test/support/checked-by-compiler.ts'
import {
  type Answer,
  type ChoiceValue,
  type CreatedWebhookEndpoint,
  type Form,
  type FormResponse,
  type FormStatus,
  Formwire,
  type FormwireOptions,
  type Me,
  type Page,
  type PollOptions,
  type RequestOptions,
  type UploadedFile,
} from '../src/index.ts'
import type { CALL_OPTIONS, CLIENT_OPTIONS } from '../src/options.ts'
import type { POLL_OPTIONS } from '../src/polling/poll.ts'

const formwire = new Formwire({
  apiKey: 'svc_k',
  baseUrl: 'https://x.example',
  fetch: async () => Response.json({}),
})

describe('types', () => {
  it('of results', () => {
    checkedByCompiler()
    expectTypeOf(formwire.me).returns.resolves.toEqualTypeOf<Me>()
    expectTypeOf(formwire.forms.list).returns.resolves.toEqualTypeOf<Page<Form>>()
    expectTypeOf(formwire.webhooks.create).returns.resolves.toEqualTypeOf<CreatedWebhookEndpoint>()
    type Polled = ReturnType<typeof formwire.responses.poll> extends AsyncGenerator<infer Item> ? Item : never
    expectTypeOf<Polled>().toEqualTypeOf<FormResponse>()
  })

  it('[ENV-04] offer documented statuses and accept any string', () => {
    checkedByCompiler()
    expectTypeOf<'published'>().toExtend<FormStatus>()
    expectTypeOf<string>().toExtend<FormStatus>()
  })

  it('[RESP-07] narrow the value of an answer by its type', () => {
    const read = (answer: Answer): unknown => {
      if (answer.type === 'ranking') expectTypeOf(answer.value).toEqualTypeOf<ChoiceValue>()
      if (answer.type === 'nps') expectTypeOf(answer.value).toEqualTypeOf<number>()
      if (answer.type === 'file') expectTypeOf(answer.value).toEqualTypeOf<UploadedFile[]>()
      return answer.value
    }
    expect(read({ question_id: 'q', title: 't', type: 'nps', value: 9, text: '9' })).toBe(9)
  })

  it('list each option in the names that unknown names are checked against', () => {
    checkedByCompiler()
    expectTypeOf<(typeof CLIENT_OPTIONS)[number]>().toEqualTypeOf<keyof FormwireOptions>()
    expectTypeOf<(typeof CALL_OPTIONS)[number]>().toEqualTypeOf<keyof RequestOptions>()
    expectTypeOf<(typeof POLL_OPTIONS)[number]>().toEqualTypeOf<keyof PollOptions>()
  })

  it('accept the global fetch and one of a Request, and nothing else', () => {
    checkedByCompiler()
    expectTypeOf<typeof globalThis.fetch>().toExtend<
      NonNullable<ConstructorParameters<typeof Formwire>[0]>['fetch']
    >()
    expectTypeOf<(request: Request) => Promise<Response>>().toExtend<
      NonNullable<ConstructorParameters<typeof Formwire>[0]>['fetch']
    >()
    expectTypeOf<(request: Request) => string>().not.toExtend<
      NonNullable<ConstructorParameters<typeof Formwire>[0]>['fetch']
    >()
  })
})
