import * as z from 'zod'
import { type KnownEventType, type KnownQuestionType, QUESTION_TYPES } from '../../src/index.ts'
import * as schemas from '../../src/schemas.ts'
import { pascalCase } from './about.ts'

/** `short_text` → `ShortTextAnswer` */
export const answerComponentName = (type: KnownQuestionType): string => `${pascalCase(type)}Answer`

const event = <Type extends KnownEventType>(type: Type) =>
  schemas.webhookEventSchema.extend({ event: z.literal(type) })

/** Schema of each event. Apart, so that a client can tell them by `event`. */
export const eventSchemas = {
  'response.submitted': event('response.submitted'),
  'test.ping': event('test.ping'),
} satisfies Record<KnownEventType, z.ZodType>

/** The named schemas of the document, in their order there. */
export const schemaComponents: Record<string, z.ZodType> = {
  Me: schemas.meSchema,
  Form: schemas.formSchema,
  FormUpdate: schemas.formUpdateSchema,
  FormResponse: schemas.responseSchema,
  ResponseMeta: schemas.responseMetaSchema,
  Answer: schemas.answerSchema,
  ...Object.fromEntries(
    QUESTION_TYPES.map((type) => [answerComponentName(type), schemas.knownAnswerSchemas[type]]),
  ),
  UnknownAnswer: schemas.unknownAnswerSchema,
  ChoiceValue: schemas.choiceValueSchema,
  UploadedFile: schemas.uploadedFileSchema,
  AddressValue: schemas.addressValueSchema,
  WebhookEndpoint: schemas.webhookEndpointSchema,
  CreatedWebhookEndpoint: schemas.createdWebhookEndpointSchema,
  WebhookCreate: schemas.webhookCreateSchema,
  ResponseSubmittedEvent: eventSchemas['response.submitted'],
  TestPingEvent: eventSchemas['test.ping'],
  Deleted: schemas.deletedSchema,
  PageMeta: schemas.pageMetaSchema,
  ErrorBody: schemas.errorEnvelopeSchema,
  Timestamp: schemas.timestampSchema,
}
