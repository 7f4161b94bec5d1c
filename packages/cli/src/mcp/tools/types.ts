import * as z from 'zod'
import { safeJson } from '../../output/text-safety.ts'
import type { FormModel } from '../../types/model.ts'
import { type NamedForm, nameForms } from '../../types/names.ts'
import { readForms, writeModule } from '../../types/run-generate.ts'
import { TYPES_FORMATS } from '../../types/types-options.ts'
import { endOf } from '../deadline.ts'
import { toolFailure } from '../failures.ts'
import { RESULT_MAX_CHARACTERS, shownError } from '../result.ts'
import { checkedResponse, serviceOf } from '../service/service.ts'
import { defineTool, FORM, SAMPLE, SAMPLE_DEFAULT } from '../tool.ts'
import { markedText, untrusted } from '../untrusted.ts'

/** Forms of one module: each is read with some requests. */
const MAX_FORMS = 10

export const types = defineTool({
  name: 'types',
  group: 'service',
  description:
    'The module that `formwire types` writes: types of the answers to forms of the configured service, inferred from responses. Comments quote titles, marked as untrusted.',
  input: z.strictObject({
    forms: z.array(FORM).min(1).max(MAX_FORMS),
    format: z.enum(TYPES_FORMATS).default('ts'),
    sample: SAMPLE.default(SAMPLE_DEFAULT),
  }),
  async run(session, { forms: given, format, sample }, call) {
    const ids = [...new Set(given)]
    const { client, options, clean } = await serviceOf(session, call)
    const forms: FormModel[] = []
    let end: unknown
    const onFailure = (error: unknown): void => {
      end = endOf(error, options.signal)
    }
    for (const id of ids) {
      const read = { sample, options, onResponse: checkedResponse, onFailure }
      forms.push(...(await readForms(session.context, client, [id], read)))
      if (end !== undefined) break
    }
    const named = nameForms(clean(forms))
    const marked = named.map(withMarkedTitles)
    const result = {
      module: writeModule(marked, format, marked),
      forms: named.map(({ id, name, title, responses, questions }) => {
        return { id, name, title: markedText(title), responses, questions: questions.length }
      }),
      ...(end === undefined ? {} : { incomplete: shownError(end, session.context) }),
    }
    const { length } = safeJson(result)
    if (length <= RESULT_MAX_CHARACTERS) return result
    throw toolFailure(
      'result_too_large',
      `the module has ${length} characters, and a result at most ${RESULT_MAX_CHARACTERS}`,
      `give fewer forms, or write it to a file: formwire types ${ids.join(' ')} --format ${format} --out FILE`,
    )
  },
})

/** Characters of a title in a comment. */
const TITLE_MAX_CHARACTERS = 150

const titleOf = (title: string): string => JSON.stringify(untrusted(title, TITLE_MAX_CHARACTERS))

const withMarkedTitles = (form: NamedForm): NamedForm => ({
  ...form,
  title: titleOf(form.title),
  questions: form.questions.map((question) => ({ ...question, title: titleOf(question.title) })),
})
