import { defineCommand, formsNamed } from '../command.ts'
import { LISTEN_OPTIONS } from '../listen/listen-options.ts'
import { RECEIVED_FIELDS } from '../listen/received-delivery.ts'

/** `formwire listen` */
export const listen = defineCommand({
  path: ['listen'],
  summary: 'receive webhooks locally: verify, show and forward them',
  description:
    'Receives deliveries on 127.0.0.1, verifies the raw bytes of each and explains any failure. Forwards the same ' +
    'bytes and X-Service headers to your handler and returns its response (502 if the handler is unreachable).\n' +
    'With --form, creates a temporary endpoint and deletes it on exit; its secret is printed once, so that your handler ' +
    'can verify. If FORMWIRE_WEBHOOK_SECRET is set, deliveries are signed with it instead. Without --form, reads the ' +
    'secret of an existing endpoint from FORMWIRE_WEBHOOK_SECRET or stdin.\n' +
    'With --poll, follows the form through the API, without an endpoint or a tunnel, and sends each response as a signed ' +
    'delivery. A response that the handler refuses is attempted up to ten times; then the command that sends it again is printed, and the next one follows.\n' +
    'With a command after --, starts it with FORMWIRE_WEBHOOK_SECRET and ends with its exit code (127 if it is not found).\n' +
    'With FORMWIRE_ADMIN_TOKEN, shows attempt numbers and next attempts from the log of a reference server and uses ' +
    'its clock.\n' +
    'With --count, exits with 0 after that many matching verified deliveries, or with 1 on --timeout or when the ' +
    'handler refused one. Without --count, exits with 0 on --timeout.',
  arguments: [{ name: '[command...]', description: 'handler to start, after --' }],
  trailingCommand: true,
  options: LISTEN_OPTIONS,
  examples: {
    'formwire listen --form guestvoice01 --forward-to 3000 -- node app.js':
      'start a handler with the secret of this session and forward live deliveries to it',
    'formwire listen --form guestvoice01 --forward-to http://127.0.0.1:3000/hook':
      'develop a handler against live deliveries',
    'formwire listen --form guestvoice01 --poll --since 2h --forward-to localhost:3000/hook':
      'send the responses of the last two hours, then new ones, without a tunnel',
    'formwire listen --form FORM --match event=response.submitted --count 1 --timeout 30s':
      'in CI: exit with 0 once a delivery arrives',
    'formwire listen --port 4000 --respond 500,500,200 --json': 'watch an endpoint retry',
  },
  exits: [1, 3, 4, 5, 6],
  fields: RECEIVED_FIELDS,
  task: (_command, { form, poll }) => `${poll ? 'follow' : 'listen to'} ${formsNamed(form)}`,
  async run(context, [command], options) {
    const { runListen } = await import('../listen/run.ts')
    return await runListen(context, options, command)
  },
})
