import {
  EXPECTATIONS,
  KIND_NAMES,
  LARGEST_SEED,
  PROFILES,
  type RehearsalProfile,
} from '@formwire/internal/rehearsal-kinds'
import { urlOf } from '@formwire/internal/url'
import type { OptionSpec, OptionsOf } from '../command.ts'
import { usage } from '../failure.ts'
import { choiceOf, count, positiveSpan } from '../input/parse.ts'

const kinds = (text: string) => text.split(',').map((one) => choiceOf(one, 'a kind', KIND_NAMES))

export const REHEARSE_OPTIONS = [
  {
    name: 'webhook',
    value: 'path',
    description: 'path that receives deliveries on PORT, such as /webhooks',
    parse: pathOption,
  },
  {
    name: 'handled',
    value: 'command',
    description:
      'command that prints the ids of handled responses, one per line, one line for each time; runs in the folder of the run',
  },
  {
    name: 'handled-url',
    value: 'url',
    description: 'URL, or path on PORT, that responds with these ids instead; $PORT in a URL is replaced',
    parse: handledUrlOption,
  },
  {
    name: 'expect',
    value: 'promise',
    description: 'exactly-once (default), at-least-once or at-most-once',
    default: 'exactly-once',
    defaultText: '',
    choices: EXPECTATIONS,
  },
  {
    name: 'complete',
    description:
      'every response must be handled, also one that was never delivered (default for a program that reads the list of responses)',
  },
  { name: 'deletions', description: 'deleted responses must no longer be among those that were handled' },
  {
    name: 'only',
    value: 'kind',
    many: 'words',
    description: 'only these kinds of events happen',
    parse: kinds,
  },
  {
    name: 'without',
    value: 'kind',
    many: 'words',
    description: 'these kinds of events do not happen',
    parse: kinds,
  },
  {
    name: 'profile',
    value: 'profile',
    description: 'how much happens: gentle, normal (default) or harsh',
    default: 'normal',
    defaultText: '',
    choices: Object.keys(PROFILES) as RehearsalProfile[],
  },
  {
    name: 'runs',
    value: 'n',
    description: 'number of runs',
    default: 20,
    defaultText: '20, or as many as fit into --time',
    parse: count,
  },
  {
    name: 'time',
    value: 'span',
    description: 'begin no run after this time, such as 60s',
    parse: positiveSpan,
  },
  {
    name: 'seed',
    value: 'n',
    description: 'seed of the schedules',
    default: 'a new one, which is printed',
    parse: seedOption,
  },
  { name: 'responses', value: 'n', description: 'responses of a run', default: 20, parse: count },
  {
    name: 'speed',
    value: 'n',
    description: 'divide the pauses between attempts by this',
    default: 1000,
    parse: count,
  },
  {
    name: 'schedule',
    value: 'file',
    description: 'play this schedule, as --save wrote it; 3 times unless --runs says how often',
  },
  { name: 'save', value: 'file', description: 'write the failing schedule to this file' },
  { name: 'junit', value: 'file', description: 'also write the result as JUnit XML' },
] as const satisfies readonly OptionSpec[]

export type RehearseFlags = OptionsOf<typeof REHEARSE_OPTIONS>

function pathOption(text: string): string {
  if (!text.startsWith('/')) throw usage(`--webhook must be a path that begins with /, got "${text}"`)
  // As the server refuses the URL.
  if (/[\s\p{Cc}\\]/u.test(text))
    throw usage(
      `--webhook must not contain spaces, control characters or backslashes, got "${text}"`,
      'percent-encode them, such as a space as %20',
    )
  return text
}

function handledUrlOption(text: string): string {
  if (text.startsWith('/')) return text
  // The value is not repeated: it is a password.
  if (/^(?:[a-z][a-z\d+.-]*:[/\\]*)?[^/\\?#]*@/i.test(text))
    throw usage('--handled-url must not contain a user name or password')
  if (/^https?:/.test(text) && urlOf(text.replaceAll('$PORT', '1')) !== undefined) return text
  throw usage(`--handled-url must be an http or https URL, or a path that begins with /, got "${text}"`)
}

function seedOption(text: string): number {
  if (/^\d{1,10}$/.test(text) && Number(text) <= LARGEST_SEED) return Number(text)
  throw usage(`--seed must be an integer from 0 to ${LARGEST_SEED}, got "${text}"`)
}
