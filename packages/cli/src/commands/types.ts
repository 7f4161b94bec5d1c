import { defineCommand, formsNamed } from '../command.ts'
import { usage } from '../failure.ts'
import { chooseForm } from '../pickers/choose.ts'
import { TYPES_OPTIONS } from '../types/types-options.ts'

/** `formwire types FORM...` */
export const types = defineCommand({
  path: ['types'],
  summary: 'generate TypeScript types, zod or JSON Schemas of answers',
  description:
    'Writes a module with one interface per form and one property per question id, for answersOf of @formwire/sdk. ' +
    'The types are inferred from the submitted responses, since the API does not list questions. With ' +
    'FORMWIRE_ADMIN_TOKEN, the questions of a reference server complete them. --check writes nothing: it exits with 1 and prints ' +
    'one line per difference if a response no longer fits the file.',
  arguments: [
    {
      name: '[form...]',
      description: 'ids of the forms (with --check: default all forms of the file)',
      choose: chooseForm,
      unless: ['check'],
    },
  ],
  options: TYPES_OPTIONS,
  examples: {
    'formwire types guestvoice01 --out src/forms.ts': 'generate the types of a form',
    'formwire types guestvoice01 --format zod --out src/forms.zod.ts':
      'generate schemas to validate at run time',
    'formwire types --check src/forms.ts': 'in CI: fail when a form has changed',
  },
  exits: [1, 3, 4, 5, 6],
  task: (forms, { check }) =>
    typeof check === 'string' ? `check ${check}` : `generate the types of ${formsNamed(forms)}`,
  async run(context, [given], options) {
    const forms = [...new Set(given)]
    const { out, check } = options
    if (check !== undefined) {
      if (out !== undefined) throw usage('--check cannot be combined with --out', '--check writes nothing')
      const { runCheck } = await import('../types/run-check.ts')
      return await runCheck(context, forms, check, options)
    }
    if (forms.length === 0) throw usage('missing form id', 'for example: formwire types guestvoice01')
    const { runGenerate } = await import('../types/run-generate.ts')
    await runGenerate(context, forms, options)
    return undefined
  },
})
