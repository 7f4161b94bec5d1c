import { defineCommand } from '../command.ts'
import { usage } from '../failure.ts'
import { ADMIN_TOKEN } from '../input/admin-token.ts'
import { countOption, spanOption, urlOption } from '../input/parse.ts'
import type { ListenOptions } from '../listen/options.ts'
import { liveTerminal } from '../ui/live-terminal.ts'

/** `formwire listen` */
export const listen = defineCommand<ListenOptions>({
  description:
    'Receives deliveries on 127.0.0.1, verifies the raw bytes of each and explains any failure. Forwards the same ' +
    'bytes and X-Service headers to your handler and returns its response (502 if the handler is unreachable).\n' +
    'With --form, creates a temporary endpoint and deletes it on exit. Without --form, reads the secret from ' +
    'FORMWIRE_WEBHOOK_SECRET or stdin.\n' +
    'With FORMWIRE_ADMIN_TOKEN, shows attempt numbers and next attempts from the log of a reference server and uses ' +
    'its clock.\n' +
    'With --count, exits with 0 after that many matching verified deliveries, or with 1 on --timeout or when the ' +
    'handler refused one.',
  options: [
    { flags: '--form <id>', description: 'create a temporary endpoint on this form (requires a write key)' },
    {
      flags: '--forward-to <url>',
      description: 'forward every verified delivery to this handler',
      parse: urlOption('--forward-to'),
    },
    {
      flags: '--public-url <url>',
      description: 'with --form: URL to register, such as the URL of a tunnel',
      parse: urlOption('--public-url'),
    },
    {
      flags: '--port <n>',
      description: 'port to listen on (default: 0 = any free port)',
      parse: portOption,
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
      parse: (text: string, previous: never) => [...((previous as string[] | undefined) ?? []), text],
    },
    {
      flags: '--respond <statuses>',
      description: 'respond with these statuses in turn, such as 500,500,200, to watch retries',
      parse: parseStatuses,
    },
    { flags: '--record <dir>', description: 'write each delivery to a file for formwire replay' },
    { flags: '--secret-stdin', description: 'read the secret from the first line of stdin' },
    ADMIN_TOKEN,
  ],
  examples: [
    [
      'formwire listen --form 8hTq2LmVx4Rb --forward-to http://127.0.0.1:3000/hook',
      'develop a handler against live deliveries',
    ],
    [
      'formwire listen --form FORM --match event=response.submitted --count 1 --timeout 30s',
      'in CI: exit with 0 once a delivery arrives',
    ],
    ['formwire listen --port 4000 --respond 500,500,200 --json', 'watch an endpoint retry'],
  ],
  exits: [1, 3, 4, 5, 6],
  async run(context, _args, options) {
    if (options.publicUrl !== undefined && options.form === undefined) {
      throw usage('--public-url requires --form', 'add --form FORM')
    }
    const { runListen } = await import('../listen/run.ts')
    if (context.output.json || !liveTerminal(context.runtime)) return await runListen(context, options)
    const { showListenView } = await import('../ui/listen-view.ts')
    return await runListen(context, options, showListenView)
  },
})

function portOption(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (port <= 65_535) return port
  throw usage(`--port must be an integer from 0 to 65535, got "${text}"`)
}

function parseStatuses(text: string): number[] {
  const statuses = text.split(',').map((one) => (/^[2-5]\d\d$/.test(one.trim()) ? Number(one) : Number.NaN))
  if (statuses.every((status) => !Number.isNaN(status))) return statuses
  throw usage(`--respond must be a list of statuses from 200 to 599, such as 500,500,200, got "${text}"`)
}
