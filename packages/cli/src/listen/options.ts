import { usage } from '../failure.ts'
import type { AdminTokenOption } from '../input/admin-token.ts'
import type { ForwardTarget } from '../input/handler-url.ts'
import type { ViewOption } from '../input/view-option.ts'

/** The options of `listen`, as parsed by commander. */
export interface ListenOptions extends AdminTokenOption, ViewOption {
  form?: string[]
  forwardTo?: ForwardTarget[]
  header?: Record<string, string>
  insecure?: boolean
  concurrency?: number
  publicUrl?: string
  port?: number
  secretFile?: string
  secretStdin?: boolean
  poll?: boolean
  since?: string
  interval?: number
  checkpoint?: string
  count?: number
  timeout?: number
  match?: string[]
  respond?: number[]
  record?: string
}

/** Options that apply only to the other kind of source. */
const WITH_FORM = { poll: '--poll', publicUrl: '--public-url', secretFile: '--secret-file' } as const
const WITH_POLL = { since: '--since', interval: '--interval', checkpoint: '--checkpoint' } as const
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
