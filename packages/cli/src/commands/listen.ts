import { defineCommand } from '../command.ts'
import { usage } from '../failure.ts'
import { countOption, spanOption, urlOption } from './parse.ts'

/** The options of `listen`, as commander gives them. */
export interface ListenOptions {
  form?: string
  forwardTo?: string
  publicUrl?: string
  port?: number
  count?: number
  timeout?: number
  match?: string[]
  respond?: number[]
  record?: string
  secretStdin?: boolean
  adminToken?: string
}

/** `formwire listen` */
export const listen = defineCommand<ListenOptions>({
  description:
    'Receives deliveries on 127.0.0.1, verifies each on its raw bytes and says why one fails, forwards the very same ' +
    'bytes and X-Service headers, and answers what the handler answers (502 when it is dead).\n' +
    'With --form a temporary endpoint is created and deleted at the end, whatever ends it. Without it the secret comes ' +
    'from FORMWIRE_WEBHOOK_SECRET or stdin.\n' +
    "With FORMWIRE_ADMIN_TOKEN a reference server's log tells attempt number and next attempt, and its clock is used.\n" +
    'With --count it ends with 0 after that many verified deliveries that match, with 1 when --timeout comes first or ' +
    'the handler refused one.',
  options: [
    { flags: '--form <id>', description: 'create a temporary endpoint for this form (needs a write key)' },
    {
      flags: '--forward-to <url>',
      description: 'handler that gets every verified delivery',
      parse: urlOption('--forward-to'),
    },
    {
      flags: '--public-url <url>',
      description: 'URL to register with --form when a tunnel stands in front',
      parse: urlOption('--public-url'),
    },
    {
      flags: '--port <n>',
      description: 'port to listen on (default: 0, any free one)',
      parse: portOption,
    },
    {
      flags: '--count <n>',
      description: 'end after this many verified deliveries',
      parse: countOption('--count'),
    },
    {
      flags: '--timeout <span>',
      description: 'end after this time, such as 30s',
      parse: spanOption('--timeout'),
    },
    {
      flags: '--match <text>',
      description:
        'show and count only these: event=, form=, response=, answer.QUESTION=, or text in the body; repeatable',
      parse: (text: string, previous: never) => [...((previous as string[] | undefined) ?? []), text],
    },
    {
      flags: '--respond <statuses>',
      description: 'answer these in turn, such as 500,500,200, to watch retries',
      parse: parseStatuses,
    },
    { flags: '--record <dir>', description: 'write each delivery to a file for formwire replay' },
    { flags: '--secret-stdin', description: 'read the secret from the first line of stdin' },
    {
      flags: '--admin-token <token>',
      description: 'admin token of a throw-away server; else FORMWIRE_ADMIN_TOKEN',
    },
  ],
  examples: [
    [
      'formwire listen --form 8hTq2LmVx4Rb --forward-to http://127.0.0.1:3000/hook',
      'develops a handler against live deliveries',
    ],
    [
      'formwire listen --form FORM --match event=response.submitted --count 1 --timeout 30s',
      'in CI: passes once one came in',
    ],
    ['formwire listen --port 4000 --respond 500,500,200 --json', 'watches an endpoint retry'],
  ],
  exits: [1, 3, 4, 5, 6],
  async run(context, _args, options) {
    if (options.publicUrl !== undefined && options.form === undefined) {
      throw usage(
        '--public-url is what --form registers; without --form nothing is registered',
        'add --form FORM',
      )
    }
    const { runListen } = await import('../listen/run.ts')
    return await runListen(context, options)
  },
})

function portOption(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (port <= 65_535) return port
  throw usage(`--port takes a whole number from 0 to 65535, not "${text}"`)
}

function parseStatuses(text: string): number[] {
  const statuses = text.split(',').map((one) => (/^[2-5]\d\d$/.test(one.trim()) ? Number(one) : Number.NaN))
  if (statuses.every((status) => !Number.isNaN(status))) return statuses
  throw usage(`--respond takes statuses from 200 to 599, such as 500,500,200, not "${text}"`)
}
