import type * as z from 'zod'
import { type KnownQuestionType, QUESTION_TYPES } from '../../src/index.ts'
import * as schemas from '../../src/schemas.ts'

/** `short_text` → `ShortTextAnswer` */
export const answerComponentName = (type: KnownQuestionType): string =>
  `${type.replace(/(?:^|_)(.)/g, (_match, letter: string) => letter.toUpperCase())}Answer`

/** The named schemas of the document, in their order there. */
export const schemaComponents: Record<string, z.ZodType> = {
  Me: schemas.meSchema,
  Form: schemas.formSchema,
  FormUpdate: schemas.formUpdateSchema,
  Response: schemas.responseSchema,
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
  WebhookEvent: schemas.webhookEventSchema,
  Deleted: schemas.deletedSchema,
  PageMeta: schemas.pageMetaSchema,
  Error: schemas.errorEnvelopeSchema,
  Timestamp: schemas.timestampSchema,
}
