import {
  EXPECTATIONS,
  KIND_NAMES,
  LARGEST_SEED,
  PROFILES,
  REHEARSAL_KINDS,
  type RehearsalProfile,
} from '@formwire/internal/rehearsal-kinds'
import { defineCommand } from '../command.ts'
import { usage } from '../failure.ts'
import { choiceOption, countOption, positiveSpanOption, repeatedOption } from '../input/parse.ts'
import type { RehearseFlags } from '../rehearse/run.ts'

const KINDS = repeatedOption((text) => text.split(',').map(choiceOption('a kind', KIND_NAMES)))

/** `formwire rehearse` */
export const rehearse = defineCommand<RehearseFlags>({
  path: ['rehearse'],
  summary: 'find the bug in your handler: lost, doubled, late, killed',
  description:
    'Runs a program in any language against a reference server, under schedules that are drawn from a seed: deliveries lost, doubled, late and out of ' +
    'order; the API failing; the program killed at bad moments. Then asks it which responses it has handled. When one is lost, handled twice or ' +
    'invented, plays the schedule again, reduces it to the shortest story that still breaks, and says what bug that looks like.\n' +
    'The program gets FORMWIRE_BASE_URL, FORMWIRE_API_KEY, FORMWIRE_FORM_ID, FORMWIRE_WEBHOOK_SECRET, PORT, and FORMWIRE_REHEARSAL_DIR: an empty folder ' +
    'for what must outlive its kills. Each run has a new folder, port, form and server, on this machine only.\n' +
    'With --verbose, what the program prints is shown. Time is real, so that signatures are recent; the pauses between attempts are divided by --speed.\n' +
    'Except with --profile gentle, the service writes timestamps in another format in some schedules.\n' +
    `Kinds of events: ${Object.entries(REHEARSAL_KINDS)
      .map(([kind, what]) => `${kind} (${what})`)
      .join('; ')}.`,
  arguments: [{ name: '[command...]', description: 'program to rehearse, after --' }],
  trailingCommand: true,
  options: [
    {
      flags: '--webhook <path>',
      description: 'path that receives deliveries on PORT, such as /webhooks',
      parse: pathOption,
    },
    {
      flags: '--handled <command>',
      description:
        'command that prints the ids of handled responses, one per line, one line for each time; runs in the folder of the run',
    },
    {
      flags: '--handled-url <url>',
      description: 'URL, or path on PORT, that responds with these ids instead; $PORT in a URL is replaced',
      parse: handledUrlOption,
    },
    {
      flags: '--expect <promise>',
      description: 'exactly-once (default), at-least-once or at-most-once',
      parse: choiceOption('--expect', EXPECTATIONS),
    },
    {
      flags: '--complete',
      description:
        'every response must be handled, also one that was never delivered (default for a program that reads the list of responses)',
    },
    {
      flags: '--deletions',
      description: 'deleted responses must no longer be among those that were handled',
    },
    { flags: '--only <kind...>', description: 'only these kinds of events happen; repeatable', parse: KINDS },
    {
      flags: '--without <kind...>',
      description: 'these kinds of events do not happen; repeatable',
      parse: KINDS,
    },
    {
      flags: '--profile <profile>',
      description: 'how much happens: gentle, normal (default) or harsh',
      parse: choiceOption('--profile', Object.keys(PROFILES) as RehearsalProfile[]),
    },
    {
      flags: '--runs <n>',
      description: 'number of runs (default: 20, or as many as fit into --time)',
      parse: countOption('--runs'),
    },
    {
      flags: '--time <span>',
      description: 'begin no run after this time, such as 60s',
      parse: positiveSpanOption('--time'),
    },
    {
      flags: '--seed <n>',
      description: 'seed of the schedules (default: a new one, which is printed)',
      parse: seedOption,
    },
    {
      flags: '--responses <n>',
      description: 'responses of a run (default: 20)',
      parse: countOption('--responses'),
    },
    {
      flags: '--speed <n>',
      description: 'divide the pauses between attempts by this (default: 1000)',
      parse: countOption('--speed'),
    },
    {
      flags: '--schedule <file>',
      description: 'play this schedule, as --save wrote it; 3 times unless --runs says how often',
    },
    { flags: '--save <file>', description: 'write the schedule of the story to this file' },
    { flags: '--junit <file>', description: 'also write the result as JUnit XML' },
  ],
  examples: [
    [
      'formwire rehearse --webhook /webhooks --handled "touch handled.txt; cat handled.txt" -- node app.js',
      'rehearse a receiver that appends the id of each response that it handles to handled.txt in FORMWIRE_REHEARSAL_DIR',
    ],
    [
      'formwire rehearse --handled "sqlite3 copy.db \'select id from responses\'" --deletions -- python sync.py',
      'rehearse a program that polls, deletions included',
    ],
    [
      'formwire rehearse --schedule story.json --webhook /webhooks --handled-url /handled -- node app.js',
      'play a story again',
    ],
  ],
  exits: [1, 6],
  async run(context, command, options) {
    const { runRehearse } = await import('../rehearse/run.ts')
    return await runRehearse(context, command as readonly string[], options)
  },
})

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
  if (/^https?:/.test(text) && URL.canParse(text.replaceAll('$PORT', '1'))) return text
  throw usage(`--handled-url must be an http or https URL, or a path that begins with /, got "${text}"`)
}

function seedOption(text: string): number {
  if (/^\d{1,10}$/.test(text) && Number(text) <= LARGEST_SEED) return Number(text)
  throw usage(`--seed must be an integer from 0 to ${LARGEST_SEED}, got "${text}"`)
}
