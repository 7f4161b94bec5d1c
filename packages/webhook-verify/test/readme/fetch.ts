import { createReceiver } from '@formwire/webhook-verify/fetch'
import { saveResponse } from './responses.ts'

// As the default export of the module: `export default worker`.
export const worker = {
  fetch(request: Request, env: { FORMWIRE_WEBHOOK_SECRET: string }): Promise<Response> {
    return createReceiver({
      secret: () => env.FORMWIRE_WEBHOOK_SECRET,
      on: { 'response.submitted': (event) => saveResponse(event.response) },
    })(request)
  },
}
