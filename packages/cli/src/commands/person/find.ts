import { defineCommand } from '../../command.ts'
import { PERSON_COMMAND, PERSON_DESCRIPTION, type PersonFlags, personRequest } from '../../person/options.ts'

/** `formwire person find EMAIL` */
export const personFind = defineCommand<PersonFlags>({
  ...PERSON_COMMAND,
  path: ['person', 'find'],
  summary: 'find what a person has submitted',
  description: `${PERSON_DESCRIPTION}\nReports what was found where, never its content, and what cannot be searched. If a place fails, the others are searched, and the exit code is that of the failure.`,
  examples: [
    ['formwire person find ada@example.com --to sqlite:responses.db', 'search the service and a database'],
    ['formwire person find - --recordings recordings --no-service < address.txt', 'search recordings only'],
  ],
  task: () => 'find a person',
  async run(context, [email], options) {
    const { runPersonFind } = await import('../../person/run.ts')
    return await runPersonFind(context, personRequest(context, email, options))
  },
})
