import { defineCommand } from '../../command.ts'
import {
  PERSON_ARGUMENTS,
  PERSON_DESCRIPTION,
  PERSON_OPTIONS,
  type PersonFlags,
  personRequest,
} from '../../person/options.ts'

/** `formwire person find EMAIL` */
export const personFind = defineCommand<PersonFlags>({
  path: ['person', 'find'],
  summary: 'find what a person has submitted',
  description: `${PERSON_DESCRIPTION}\nReports what was found where, never its content, and what cannot be searched. If a place fails, the others are searched, and the exit code is that of the failure.`,
  arguments: PERSON_ARGUMENTS,
  options: PERSON_OPTIONS,
  examples: [
    ['formwire person find ada@example.com --to sqlite:responses.db', 'search the service and a database'],
    ['formwire person find - --recordings recordings --no-service < address.txt', 'search recordings only'],
  ],
  exits: [1, 3, 4, 5, 6],
  task: () => 'find a person',
  check: (context, options) => void personRequest(context, undefined, options),
  async run(context, [email], options) {
    const { runPersonFind } = await import('../../person/run.ts')
    return await runPersonFind(context, personRequest(context, email, options))
  },
})
