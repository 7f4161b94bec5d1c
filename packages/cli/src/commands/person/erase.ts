import { defineCommand } from '../../command.ts'
import { PERSON_COMMAND, PERSON_DESCRIPTION, type PersonFlags, personRequest } from '../../person/options.ts'

/** `formwire person erase EMAIL` */
export const personErase = defineCommand<PersonFlags>({
  ...PERSON_COMMAND,
  path: ['person', 'erase'],
  summary: 'erase what a person has submitted',
  description:
    `${PERSON_DESCRIPTION}\n` +
    'Deletes responses and drafts with their files at the service, which requires a write key. In the database, marks their rows deleted and ' +
    'clears email, score, answers and meta, so that no delivery brings them back. In a queue, removes dead responses, and empties the ' +
    'others, which count as handled: one that waits is not handled any more. Removes their records from recordings, each file ' +
    'replaced as a whole.\n' +
    'This cannot be undone. Prompts for confirmation; without a terminal, pass --yes. Reports what was found and erased where, and what ' +
    'cannot be reached. If a place fails, the others are erased, and the exit code is that of the failure: run the command again for the ' +
    'rest. A row whose response could not be deleted comes back with the next synchronization.',
  examples: [
    [
      'formwire person erase ada@example.com --to sqlite:responses.db',
      'erase at the service and in a database',
    ],
    [
      'formwire person erase - --to postgres --yes --json < address.txt',
      'without confirmation; print the report as JSON',
    ],
  ],
  asks: true,
  task: () => 'erase a person',
  async run(context, [email], options) {
    const { runPersonErase } = await import('../../person/run.ts')
    return await runPersonErase(context, personRequest(context, email, options))
  },
})
