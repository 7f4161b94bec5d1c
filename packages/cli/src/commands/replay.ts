import { defineCommand } from '../command.ts'
import { EXIT } from '../exit.ts'
import { Failure, usage } from '../failure.ts'
import { required, urlOption } from '../input/parse.ts'

interface ReplayOptions {
  forwardTo?: string
  secretStdin?: boolean
}

/** `formwire replay FILE --forward-to URL` */
export const replay = defineCommand<ReplayOptions>({
  description:
    'Sends the same body with a new signature, timestamp and delivery id. The file is a recording of listen --record, ' +
    'or the JSON body of an event. The secret comes from FORMWIRE_WEBHOOK_SECRET or stdin.',
  arguments: [{ name: '<file>', description: 'a recorded delivery' }],
  options: [
    {
      flags: '--forward-to <url>',
      description: 'URL of the handler (required)',
      parse: urlOption('--forward-to'),
    },
    { flags: '--secret-stdin', description: 'read the secret from the first line of stdin' },
  ],
  examples: [
    [
      'formwire replay deliveries/one.json --forward-to http://127.0.0.1:3000/hook --secret-stdin < secret.txt',
      'send a recorded delivery to a handler again',
    ],
  ],
  exits: [1, 6],
  async run(context, [file], options) {
    const target = options.forwardTo
    if (target === undefined)
      throw usage(
        'missing required option --forward-to URL',
        'for example --forward-to http://127.0.0.1:3000/hook',
      )
    const { readReplayable } = await import('../listen/recording.ts')
    const replayable = await readReplayable(required(file))
    const { readSecret } = await import('../listen/secret.ts')
    const secret = await readSecret(context, options.secretStdin === true)
    const { sendReplay } = await import('../listen/replay.ts')
    const result = await sendReplay(replayable, target, secret, context.runtime.clock)
    if (context.output.json) await context.output.document(result)
    else await context.output.line([result.delivery_id, result.status, `${result.duration_ms} ms`].join('\t'))
    if (result.status >= 200 && result.status < 300) return
    const { statusAdvice } = await import('../listen/status-advice.ts')
    const hint = statusAdvice(result.status)
    throw new Failure(`the handler responded with ${result.status}`, {
      exitCode: EXIT.failed,
      code: 'handler_failed',
      ...(hint === undefined ? {} : { hint }),
    })
  },
})
