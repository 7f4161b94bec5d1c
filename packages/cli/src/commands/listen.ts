import { defineCommand, formsNamed } from '../command.ts'
import { usage } from '../failure.ts'
import { ADMIN_TOKEN } from '../input/admin-token.ts'
import { HEADER, INSECURE, SECRET_STDIN } from '../input/handler-options.ts'
import { parseForwardTarget } from '../input/handler-url.ts'
import { countOption, repeatedOption, spanOption, urlOption } from '../input/parse.ts'
import { portOption } from '../input/port.ts'
import { VIEW } from '../input/view-option.ts'
import type { ListenOptions } from '../listen/options.ts'
import { RECEIVED_FIELDS } from '../listen/received-delivery.ts'

/** `formwire listen` */
export const listen = defineCommand<ListenOptions>({
  path: ['listen'],
  summary: 'receive webhooks locally: verify, show and forward them',
  description:
    'Receives deliveries on 127.0.0.1, verifies the raw bytes of each and explains any failure. Forwards the same ' +
    'bytes and X-Service headers to your handler and returns its response (502 if the handler is unreachable).\n' +
    'With --form, creates a temporary endpoint and deletes it on exit; its secret is printed once, so that your handler ' +
    'can verify. If FORMWIRE_WEBHOOK_SECRET is set, deliveries are signed with it instead. Without --form, reads the ' +
    'secret of an existing endpoint from FORMWIRE_WEBHOOK_SECRET or stdin.\n' +
    'With --poll, follows the form through the API, without an endpoint or a tunnel, and sends each response as a signed ' +
    'delivery. A response that the handler refuses is attempted up to ten times before the next one.\n' +
    'With a command after --, starts it with FORMWIRE_WEBHOOK_SECRET and ends with its exit code (127 if it is not found).\n' +
    'With FORMWIRE_ADMIN_TOKEN, shows attempt numbers and next attempts from the log of a reference server and uses ' +
    'its clock.\n' +
    'With --count, exits with 0 after that many matching verified deliveries, or with 1 on --timeout or when the ' +
    'handler refused one. Without --count, exits with 0 on --timeout.',
  arguments: [{ name: '[command...]', description: 'handler to start, after --' }],
  trailingCommand: true,
  options: [
    {
      flags: '--form <id>',
      description: 'follow this form (without --poll, requires a write key); repeatable',
      parse: repeatedOption((text) => [text]),
    },
    {
      flags: '--forward-to <url>',
      description:
        'send every verified delivery to this URL, localhost:PORT or port; FORM=URL for one form; repeatable',
      parse: (text, previous: never) => [
        ...((previous as unknown[] | undefined) ?? []),
        parseForwardTarget(text),
      ],
    },
    HEADER,
    INSECURE,
    {
      flags: '--concurrency <n>',
      description: 'requests to the handlers at once (default: no limit)',
      parse: countOption('--concurrency'),
    },
    {
      flags: '--secret-file <path>',
      description: 'write the secret to this file instead; it is removed on exit',
    },
    SECRET_STDIN,
    {
      flags: '--public-url <url>',
      description: 'with --form: URL to register, such as the URL of a tunnel',
      parse: urlOption('--public-url'),
    },
    {
      flags: '--port <n>',
      description: 'port to listen on (default: 0 = any free port)',
      parse: portOption('--port'),
    },
    { flags: '--poll', description: 'follow the forms through the API instead of an endpoint' },
    {
      flags: '--since <time>',
      description: 'with --poll: start with responses since this ISO 8601 time, or a span such as 2h',
    },
    {
      flags: '--interval <span>',
      description: 'with --poll: time between polls (default: 2s, up to 5s without new responses)',
      parse: spanOption('--interval'),
    },
    {
      flags: '--checkpoint <file>',
      description:
        'with --poll: save the positions in this file, or in a directory, and resume from it; responses that were refused ten times are kept beside it',
    },
    {
      flags: '--count <n>',
      description: 'exit after this many verified deliveries',
      parse: countOption('--count'),
    },
    {
      flags: '--timeout <span>',
      description: 'exit after this time, such as 30s',
      parse: spanOption('--timeout'),
    },
    {
      flags: '--match <text>',
      description:
        'show and count only matching deliveries: event=, form=, response=, answer.QUESTION=, or text in the body; repeatable',
      parse: repeatedOption((text) => [text]),
    },
    {
      flags: '--respond <statuses>',
      description: 'respond with these statuses in turn, such as 500,500,200, to watch retries',
      parse: parseStatuses,
    },
    { flags: '--record <dir>', description: 'write each delivery to a file for formwire replay' },
    {
      ...VIEW,
      description:
        'live (default on a terminal without a command), lines (default elsewhere), or quiet: announcements and errors only',
    },
    ADMIN_TOKEN,
  ],
  examples: [
    [
      'formwire listen --form 8hTq2LmVx4Rb --forward-to 3000 -- node app.js',
      'start a handler with the secret of this session and forward live deliveries to it',
    ],
    [
      'formwire listen --form 8hTq2LmVx4Rb --forward-to http://127.0.0.1:3000/hook',
      'develop a handler against live deliveries',
    ],
    [
      'formwire listen --form 8hTq2LmVx4Rb --poll --since 2h --forward-to localhost:3000/hook',
      'send the responses of the last two hours, then new ones, without a tunnel',
    ],
    [
      'formwire listen --form FORM --match event=response.submitted --count 1 --timeout 30s',
      'in CI: exit with 0 once a delivery arrives',
    ],
    ['formwire listen --port 4000 --respond 500,500,200 --json', 'watch an endpoint retry'],
  ],
  asks: true,
  exits: [1, 3, 4, 5, 6],
  fields: RECEIVED_FIELDS,
  task: (_command, { form, poll }) => `${poll ? 'follow' : 'listen to'} ${formsNamed(form)}`,
  async run(context, command, options) {
    const { runListen } = await import('../listen/run.ts')
    return await runListen(context, options, command as readonly string[])
  },
})

function parseStatuses(text: string): number[] {
  const statuses = text.split(',').map((one) => (/^[2-5]\d\d$/.test(one.trim()) ? Number(one) : Number.NaN))
  if (statuses.every((status) => !Number.isNaN(status))) return statuses
  throw usage(`--respond must be a list of statuses from 200 to 599, such as 500,500,200, got "${text}"`)
}
