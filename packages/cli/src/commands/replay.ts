import { defineCommand } from '../command.ts'
import { requiredTarget, SEND_OPTIONS, SENT_FIELDS } from '../input/handler-options.ts'

/** `formwire replay FILE --forward-to URL` */
export const replay = defineCommand({
  path: ['replay'],
  summary: 'send a recorded delivery again with a new signature',
  description:
    'Sends the same body with a new signature, timestamp and delivery id. The file is a recording of listen --record, ' +
    'or the JSON body of an event. The secret comes from FORMWIRE_WEBHOOK_SECRET or stdin.',
  arguments: [{ name: '<file>', description: 'a recorded delivery' }],
  options: SEND_OPTIONS,
  examples: {
    'formwire replay deliveries/one.json --forward-to http://127.0.0.1:3000/hook --secret-stdin < secret.txt':
      'send a recorded delivery to a handler again',
  },
  exits: [1, 6],
  fields: SENT_FIELDS,
  async run(context, [file], options) {
    const target = requiredTarget(options)
    const { readReplayable } = await import('../listen/recording.ts')
    const { body, event } = await readReplayable(context.runtime, file)
    const { readSecret } = await import('../listen/secret.ts')
    const secret = await readSecret(context, options.secretStdin === true)
    const { sendEvent } = await import('../listen/send-event.ts')
    const headers = Object.fromEntries(options.header ?? [])
    const { insecure } = options
    await sendEvent(context, secret, { body, event, source: file, target, headers, insecure })
  },
})
