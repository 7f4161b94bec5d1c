import { describe, expectTypeOf, it } from 'vitest'
import { checkedByCompiler } from '../../../test/support/checked-by-compiler.ts'
import type * as control from '../src/control.ts'
import type * as schemas from '../src/schemas/control.ts'
import type { Agree, Yes } from './agree.ts'

describe('the schemas of the control API', () => {
  it('match the hand-written types', () => {
    checkedByCompiler()
    expectTypeOf<Agree<typeof schemas.workspaceSchema, control.Workspace>>().toEqualTypeOf<Yes>()
    expectTypeOf<Agree<typeof schemas.userSchema, control.User>>().toEqualTypeOf<Yes>()
    expectTypeOf<Agree<typeof schemas.apiKeySchema, control.ApiKey>>().toEqualTypeOf<Yes>()
    expectTypeOf<Agree<typeof schemas.createdApiKeySchema, control.CreatedApiKey>>().toEqualTypeOf<Yes>()
    expectTypeOf<Agree<typeof schemas.questionSchema, control.Question>>().toEqualTypeOf<Yes>()
    expectTypeOf<Agree<typeof schemas.builderFormSchema, control.BuilderForm>>().toEqualTypeOf<Yes>()
    expectTypeOf<Agree<typeof schemas.rotatedSecretSchema, control.RotatedSecret>>().toEqualTypeOf<Yes>()
    expectTypeOf<Agree<typeof schemas.endpointDetailSchema, control.EndpointDetail>>().toEqualTypeOf<Yes>()
    expectTypeOf<Agree<typeof schemas.deliverySchema, control.Delivery>>().toEqualTypeOf<Yes>()
    expectTypeOf<Agree<typeof schemas.deliveryPageSchema, control.DeliveryPage>>().toEqualTypeOf<Yes>()
    expectTypeOf<Agree<typeof schemas.deliveryAttemptSchema, control.DeliveryAttempt>>().toEqualTypeOf<Yes>()
    expectTypeOf<Agree<typeof schemas.deliveryDetailSchema, control.DeliveryDetail>>().toEqualTypeOf<Yes>()
    expectTypeOf<Agree<typeof schemas.journalEntrySchema, control.JournalEntry>>().toEqualTypeOf<Yes>()
    expectTypeOf<Agree<typeof schemas.journalDetailSchema, control.JournalDetail>>().toEqualTypeOf<Yes>()
    expectTypeOf<Agree<typeof schemas.clockStateSchema, control.ClockState>>().toEqualTypeOf<Yes>()
    expectTypeOf<Agree<typeof schemas.faultSchema, control.Fault>>().toEqualTypeOf<Yes>()
    expectTypeOf<Agree<typeof schemas.faultInForceSchema, control.FaultInForce>>().toEqualTypeOf<Yes>()
    expectTypeOf<Agree<typeof schemas.receiverSchema, control.Receiver>>().toEqualTypeOf<Yes>()
    expectTypeOf<
      Agree<typeof schemas.receiverSettingsSchema, control.ReceiverSettings>
    >().toEqualTypeOf<Yes>()
    expectTypeOf<
      Agree<typeof schemas.receiverDeliverySchema, control.ReceiverDelivery>
    >().toEqualTypeOf<Yes>()
    expectTypeOf<Agree<typeof schemas.waitRequestSchema, control.WaitRequest>>().toEqualTypeOf<Yes>()
    expectTypeOf<Agree<typeof schemas.formEndpointSchema, control.FormEndpoint>>().toEqualTypeOf<Yes>()
    expectTypeOf<Agree<typeof schemas.builtInReceiverSchema, control.BuiltInReceiver>>().toEqualTypeOf<Yes>()
    expectTypeOf<Agree<typeof schemas.catalogSchema, control.Catalog>>().toEqualTypeOf<Yes>()
    expectTypeOf<Agree<typeof schemas.questionSummarySchema, control.QuestionSummary>>().toEqualTypeOf<Yes>()
    expectTypeOf<Agree<typeof schemas.formSummarySchema, control.FormSummary>>().toEqualTypeOf<Yes>()
    expectTypeOf<Agree<typeof schemas.formPreviewSchema, control.FormPreview>>().toEqualTypeOf<Yes>()
  })
})
