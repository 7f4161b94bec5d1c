import * as z from 'zod'
import { EXIT } from '../../exit.ts'
import { Failure } from '../../failure.ts'
import { safeJson } from '../../output/text-safety.ts'
import { TYPES_FORMATS } from '../../types/formats.ts'
import { nameForms } from '../../types/names.ts'
import { readForms } from '../../types/run-generate.ts'
import { writeModule } from '../../types/write-module.ts'
import { RESULT_MAX_CHARACTERS } from '../result.ts'
import { serviceOf } from '../service/service.ts'
import { defineTool, FORM, SAMPLE, SAMPLE_DEFAULT, SERVICE } from '../tool.ts'

/** Forms of one module: each is read with some requests. */
const MAX_FORMS = 10

export const types = defineTool({
  name: 'types',
  group: 'service',
  description:
    'The module that `formwire types` writes: types of the answers to forms of the configured service, inferred from responses. Comments quote titles.',
  input: z.strictObject({
    forms: z.array(FORM).min(1).max(MAX_FORMS),
    format: z.enum(TYPES_FORMATS).default('ts'),
    sample: SAMPLE.default(SAMPLE_DEFAULT),
  }),
  annotations: SERVICE,
  async run(session, { forms: given, format, sample }, call) {
    const ids = [...new Set(given)]
    const { client, options, clean } = await serviceOf(session, call)
    const forms = clean(await readForms(session.context, client, ids, { sample, signal: options.signal }))
    const result = {
      module: writeModule(forms, format),
      forms: nameForms(forms).map(({ id, name, responses, questions }) => {
        return { id, name, responses, questions: questions.length }
      }),
    }
    const { length } = safeJson(result)
    if (length <= RESULT_MAX_CHARACTERS) return result
    throw new Failure(`the module has ${length} characters, and a result at most ${RESULT_MAX_CHARACTERS}`, {
      exitCode: EXIT.failed,
      code: 'result_too_large',
      hint: `give fewer forms, or write it to a file: formwire types ${ids.join(' ')} --format ${format} --out FILE`,
    })
  },
})
