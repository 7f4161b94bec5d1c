import { REHEARSAL_KINDS } from '@formwire/internal/rehearsal-kinds'
import { defineCommand } from '../command.ts'
import { REHEARSE_OPTIONS } from '../rehearse/rehearse-options.ts'

/** `formwire rehearse` */
export const rehearse = defineCommand({
  path: ['rehearse'],
  summary: 'test your handler under retries, crashes and API failures',
  description:
    'Runs a program in any language against a reference server, under schedules that are drawn from a seed: deliveries lost, doubled, late and out of ' +
    'order; the API failing; the program killed at bad moments. Then asks it which responses it has handled. When one is lost, handled twice or ' +
    'invented, plays the schedule again, reduces it to the shortest one that still fails, and names the likely cause.\n' +
    'The program gets FORMWIRE_BASE_URL, FORMWIRE_API_KEY, FORMWIRE_FORM_ID, FORMWIRE_WEBHOOK_SECRET, PORT, and FORMWIRE_REHEARSAL_DIR: an empty folder ' +
    'for what must outlive its kills. Each run has a new folder, port, form and server, on this machine only.\n' +
    'With --verbose, what the program prints is shown. Time is real, so that signatures are recent; the pauses between attempts are divided by --speed.\n' +
    'Except with --profile gentle, the service writes timestamps in another format in some schedules.\n' +
    `Kinds of events: ${Object.entries(REHEARSAL_KINDS)
      .map(([kind, what]) => `${kind} (${what})`)
      .join('; ')}.`,
  arguments: [{ name: '[command...]', description: 'program to rehearse, after --' }],
  trailingCommand: true,
  options: REHEARSE_OPTIONS,
  examples: {
    'formwire rehearse --webhook /webhooks --handled "touch handled.txt; cat handled.txt" -- node app.js':
      'rehearse a receiver that appends the id of each response that it handles to handled.txt in FORMWIRE_REHEARSAL_DIR',
    'formwire rehearse --handled "sqlite3 copy.db \'select id from responses\'" --deletions -- python sync.py':
      'rehearse a program that polls, deletions included',
    'formwire rehearse --schedule failing.json --webhook /webhooks --handled-url /handled -- node app.js':
      'play a failing schedule again',
  },
  exits: [1, 6],
  async run(context, [command], options) {
    const { runRehearse } = await import('../rehearse/run.ts')
    return await runRehearse(context, command, options)
  },
})
