import { describe, expect, expectTypeOf, it } from 'vitest'
import {
  type Answer,
  type ChoiceValue,
  type CreatedWebhookEndpoint,
  type Form,
  type FormResponse,
  type FormStatus,
  Formwire,
  type Me,
  type Page,
  type UploadedFile,
} from '../src/index.ts'

const formwire = new Formwire({
  apiKey: 'svc_k',
  baseUrl: 'https://x.example',
  fetch: async () => Response.json({}),
})

describe('types', () => {
  it('of results', () => {
    expectTypeOf(formwire.me).returns.resolves.toEqualTypeOf<Me>()
    expectTypeOf(formwire.forms.list).returns.resolves.toEqualTypeOf<Page<Form>>()
    expectTypeOf(formwire.webhooks.create).returns.resolves.toEqualTypeOf<CreatedWebhookEndpoint>()
    type Polled = ReturnType<typeof formwire.responses.poll> extends AsyncGenerator<infer Item> ? Item : never
    expectTypeOf<Polled>().toEqualTypeOf<FormResponse>()
  })

  it('[ENV-04] states are open enums: documented ones are offered, others are strings', () => {
    expectTypeOf<'published'>().toExtend<FormStatus>()
    expectTypeOf<string>().toExtend<FormStatus>()
  })

  it('[RESP-07] the type of an answer narrows its value', () => {
    const read = (answer: Answer): unknown => {
      if (answer.type === 'ranking') expectTypeOf(answer.value).toEqualTypeOf<ChoiceValue>()
      if (answer.type === 'nps') expectTypeOf(answer.value).toEqualTypeOf<number>()
      if (answer.type === 'file') expectTypeOf(answer.value).toEqualTypeOf<UploadedFile[]>()
      return answer.value
    }
    expect(read({ question_id: 'q', title: 't', type: 'nps', value: 9, text: '9' })).toBe(9)
  })

  it('of a fetch: the global one, one that takes a Request, and none else', () => {
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
