import { answersOf } from '@formwire/sdk'
import { createReceiver } from '@formwire/webhook-verify'
import type { GuestFeedback } from './generated/forms.ts'

/** Handles webhooks of the form: calls `callBack` for each guest who found the service poor. */
export const receiver = (secret: string, callBack: (remark: string | undefined) => void) =>
  createReceiver({
    secret,
    on: {
      'response.submitted': ({ response }) => {
        const { quality, remark } = answersOf<GuestFeedback>(response)
        if (quality?.value.service === 'poor') callBack(remark?.value)
      },
    },
  })
