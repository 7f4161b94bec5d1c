import type { OptionSpec } from '../command.ts'
import { usage } from '../failure.ts'
import { parseHandlerHeader } from './handler-headers.ts'
import { handlerUrl } from './handler-url.ts'

/** `--header`, for every command that calls a handler. */
export const HEADER: OptionSpec = {
  flags: '--header <name:value>',
  description: 'send this header to the handler; repeatable',
  parse: (text, previous) => parseHandlerHeader(text, previous),
}

/** `--insecure`, for every command that calls a handler. */
export const INSECURE: OptionSpec = {
  flags: '--insecure',
  description: 'accept any TLS certificate of the handler, such as a self-signed one',
}

/** `--secret-stdin` */
export const SECRET_STDIN: OptionSpec = {
  flags: '--secret-stdin',
  description: 'read the secret from the first line of stdin',
}

/** The options of commands that send one event to a handler. */
export interface SendOptions {
  forwardTo?: string
  header?: Record<string, string>
  insecure?: boolean
  secretStdin?: boolean
}

/** The options of `SendOptions`. */
export const SEND_OPTIONS: readonly OptionSpec[] = [
  {
    flags: '--forward-to <url>',
    description: 'URL of the handler, localhost:PORT or a port (required)',
    parse: (text) => handlerUrl(text),
  },
  HEADER,
  INSECURE,
  SECRET_STDIN,
]

/** The members of the outcome that commands that send one event print. */
export const SENT_FIELDS = ['delivery_id', 'event', 'status', 'duration_ms'] as const

/** Returns the handler. @throws Failure exit 2 without `--forward-to` */
export function requiredTarget({ forwardTo }: SendOptions): string {
  if (forwardTo !== undefined) return forwardTo
  throw usage(
    'missing required option --forward-to URL',
    'for example --forward-to http://127.0.0.1:3000/hook',
  )
}
