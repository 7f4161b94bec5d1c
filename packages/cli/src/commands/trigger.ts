import { EVENT_TYPES, type KnownEventType } from '@formwire/contract'
import { defineCommand } from '../command.ts'
import { usage } from '../failure.ts'
import { requiredTarget, SEND_OPTIONS, SENT_FIELDS } from '../input/handler-options.ts'
import { idArgument } from '../input/parse.ts'

/** `formwire trigger EVENT --forward-to URL` */
export const trigger = defineCommand({
  path: ['trigger'],
  summary: 'send one signed delivery to a handler',
  description:
    'Sends one signed delivery to a handler: a sample, an existing response with --form and --response, or the event in ' +
    '--data. The sample needs neither a key nor a server. The secret comes from FORMWIRE_WEBHOOK_SECRET or stdin.\n' +
    'Exits with 0 if the handler responds with 2xx, with 1 for any other status, and with 6 if it is unreachable.',
  arguments: [{ name: '<event>', description: EVENT_TYPES.join(' or ') }],
  options: [
    ...SEND_OPTIONS,
    { name: 'form', value: 'id', description: 'form of the response to send' },
    { name: 'response', value: 'id', description: 'send this response of the form' },
    { name: 'data', value: 'file', description: 'JSON file with the whole event; - reads stdin' },
  ],
  examples: {
    'formwire trigger response.submitted --forward-to 3000': 'send a sample to a handler on port 3000',
    'formwire trigger response.submitted --form FORM --response 12 --forward-to localhost:3000/hook':
      'send an existing response again',
    'formwire trigger test.ping --forward-to 3000 --secret-stdin < secret.txt': 'send a test event',
  },
  exits: [1, 3, 4, 5, 6],
  fields: SENT_FIELDS,
  task: (_event, { form, response }) => `read response ${response} of form ${form}`,
  async run(context, [argument], options) {
    const event = eventArgument(argument)
    const target = requiredTarget(options)
    const { form, response, data, header, insecure } = options
    if (data !== undefined && (form !== undefined || response !== undefined))
      throw usage('--data cannot be combined with --form or --response', '--data is the whole event')
    if (form !== undefined && response === undefined)
      throw usage('--form requires --response', 'add --response ID')
    if (response !== undefined && form === undefined)
      throw usage('--response requires --form', 'add --form FORM')
    if (data === '-' && options.secretStdin)
      throw usage('--data - and --secret-stdin both read stdin', 'set FORMWIRE_WEBHOOK_SECRET')
    const responseId = response === undefined ? undefined : idArgument('response', response)
    const { readSecret, givenSecret, noSecret } = await import('../listen/secret.ts')
    const secret =
      data === '-'
        ? ((await givenSecret(context, false)) ?? noSecret())
        : await readSecret(context, options.secretStdin === true)
    const { eventFromFile, eventOfResponse, sampleEvent } = await import('../listen/events.ts')
    const body =
      data !== undefined
        ? await eventFromFile(context, event, data)
        : form !== undefined && responseId !== undefined
          ? await eventOfResponse(context, event, form, responseId)
          : sampleEvent(event, context.runtime.clock.now())
    const { sendEvent } = await import('../listen/send-event.ts')
    await sendEvent(context, secret, {
      body,
      event,
      source: data ?? 'the event',
      target,
      headers: Object.fromEntries(header ?? []),
      insecure,
    })
  },
})

function eventArgument(text: string): KnownEventType {
  const event = EVENT_TYPES.find((type) => type === text)
  if (event !== undefined) return event
  throw usage(`the event must be ${EVENT_TYPES.join(' or ')}, got "${text}"`)
}
