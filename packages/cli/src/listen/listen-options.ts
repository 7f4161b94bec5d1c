import type { OptionSpec, OptionsOf } from '../command.ts'
import { usage } from '../failure.ts'
import { HEADER, INSECURE, SECRET_STDIN } from '../input/handler-options.ts'
import { parseForwardTarget } from '../input/handler-url.ts'
import { count, httpUrl, port, span } from '../input/parse.ts'
import { VIEW } from '../input/view-option.ts'
import { ADMIN_TOKEN } from '../pickers/arguments.ts'

/** The options of `listen`. */
export const LISTEN_OPTIONS = [
  {
    name: 'form',
    value: 'id',
    description: 'follow this form (without --poll, requires a write key)',
    many: true,
  },
  {
    name: 'forward-to',
    value: 'url',
    description: 'send every verified delivery to this URL, localhost:PORT or port; FORM=URL for one form',
    many: true,
    parse: parseForwardTarget,
  },
  HEADER,
  INSECURE,
  {
    name: 'secret-file',
    value: 'path',
    description: 'write the secret to this file instead; it is removed on exit',
  },
  SECRET_STDIN,
  {
    name: 'public-url',
    value: 'url',
    description: 'with --form: URL to register, such as the URL of a tunnel',
    parse: httpUrl,
  },
  {
    name: 'port',
    value: 'n',
    description: 'port to listen on',
    default: 0,
    defaultText: '0 = any free port',
    parse: port,
  },
  { name: 'poll', description: 'follow the forms through the API instead of an endpoint' },
  {
    name: 'since',
    value: 'time',
    description: 'with --poll: start with responses since this ISO 8601 time, or a span such as 2h',
  },
  {
    name: 'interval',
    value: 'span',
    description: 'with --poll: time between polls',
    default: '2s',
    defaultText: '2s, up to 5s without new responses',
    parse: span,
  },
  { name: 'count', value: 'n', description: 'exit after this many verified deliveries', parse: count },
  { name: 'timeout', value: 'span', description: 'exit after this time, such as 30s', parse: span },
  {
    name: 'match',
    value: 'text',
    description:
      'show and count only matching deliveries: event=, form=, response=, answer.QUESTION=, or text in the body',
    many: true,
  },
  {
    name: 'respond',
    value: 'statuses',
    description: 'respond with these statuses in turn, such as 500,500,200, to watch retries',
    parse: parseStatuses,
  },
  { name: 'record', value: 'dir', description: 'write each delivery to a file for formwire replay' },
  {
    ...VIEW,
    description:
      'live (default on a terminal without a command), lines (default elsewhere), or quiet: announcements and errors only',
  },
  ADMIN_TOKEN,
] as const satisfies readonly OptionSpec[]

/** The options of `listen`, as they are parsed. */
export type ListenOptions = OptionsOf<typeof LISTEN_OPTIONS>

function parseStatuses(text: string): number[] {
  const statuses = text.split(',').map((one) => (/^[2-5]\d\d$/.test(one.trim()) ? Number(one) : Number.NaN))
  if (statuses.every((status) => !Number.isNaN(status))) return statuses
  throw usage(`--respond must be a list of statuses from 200 to 599, such as 500,500,200, got "${text}"`)
}

/** Options that apply only to the other kind of source. */
const WITH_FORM = { poll: '--poll', publicUrl: '--public-url', secretFile: '--secret-file' } as const
const WITH_POLL = { since: '--since', interval: '--interval' } as const
const WITHOUT_POLL = { publicUrl: '--public-url', port: '--port', respond: '--respond' } as const

/** @throws Failure exit 2 for options that do not fit together */
export function checkListenOptions(options: ListenOptions): void {
  const given = (names: object): string[] =>
    Object.entries(names).flatMap(([name, flag]) =>
      options[name as keyof ListenOptions] === undefined ? [] : [flag as string],
    )
  const [form] = options.form === undefined ? given(WITH_FORM) : []
  if (form !== undefined) throw usage(`${form} requires --form`, 'add --form FORM')
  const [poll] = options.poll ? [] : given(WITH_POLL)
  if (poll !== undefined) throw usage(`${poll} requires --poll`, 'add --poll')
  const [receiver] = options.poll ? given(WITHOUT_POLL) : []
  if (receiver !== undefined)
    throw usage(`${receiver} cannot be combined with --poll`, '--poll has no endpoint that receives requests')
  const twice = options.form?.find((id, at) => options.form?.indexOf(id) !== at)
  if (twice !== undefined) throw usage(`--form ${twice} was given twice`)
}
