import type { Formwire } from '@formwire/sdk'
import type { Context } from '../context.ts'
import { failed } from '../failure.ts'
import { prepareOutput } from '../files/output-file.ts'
import { countOf } from '../output/progress.ts'
import { writeJsonSchema } from './json-schema.ts'
import type { FormModel } from './model.ts'
import { type NamedForm, nameForms } from './names.ts'
import { type ReadOptions, readForm, withExactQuestions } from './read-form.ts'
import { isStamped, readBounded, stamped } from './stamp.ts'
import type { TypesFlags, TypesFormat } from './types-options.ts'
import { writeTypeScript } from './typescript.ts'
import { writeZod } from './zod.ts'

type Writer = (forms: readonly NamedForm[], stamp: string) => string

const inComment =
  (write: (forms: readonly NamedForm[]) => string): Writer =>
  (forms, stamp) =>
    `${write(forms)}\n/* ${stamp} */\n`

const WRITERS: Readonly<Record<TypesFormat, Writer>> = {
  ts: inComment(writeTypeScript),
  zod: inComment(writeZod),
  'json-schema': writeJsonSchema,
}

/** Returns the generated file: the same bytes for the same models. */
export function writeModule(
  forms: readonly FormModel[],
  format: TypesFormat,
  named: readonly NamedForm[] = nameForms(forms),
): string {
  return stamped(forms, format, (stamp) => WRITERS[format](named, stamp))
}

/** Generates the types of forms. @throws Failure exit 1 for a form without responses; nothing is written then */
export async function runGenerate(
  context: Context,
  ids: readonly string[],
  { out, format = 'ts', sample }: TypesFlags,
): Promise<void> {
  const { output, runtime } = context
  const file = out === undefined ? undefined : await prepareOutput(out)
  const forms = await readForms(context, await context.client(), ids, { sample })
  const text = writeModule(forms, format)
  runtime.stop.throwIfAborted()
  const replacesOther = file?.exists === true && !isStamped(await readBounded(out as string).catch(() => ''))
  await file?.write(text)
  if (replacesOther)
    output.announce('replaced', `replaced ${out}, which formwire types had not generated`, { file: out })
  const named = nameForms(forms)
  if (output.json) {
    await output.document({
      file: out ?? null,
      format,
      forms: named.map(({ id, title, name, responses, questions }) => {
        return { id, title, name, responses, questions: questions.length }
      }),
      ...(out === undefined ? { module: text } : {}),
    })
  } else if (out === undefined) await output.write(text)
  else
    output.note(
      `wrote ${out}: ${named.map(({ name, responses }) => `${name} (from ${countOf(responses, 'response')})`).join(', ')}`,
      'good',
    )
}

/** Infers forms, completed from a reference server. @throws Failure exit 1 for a form without responses; as `readForm` */
export async function readForms(
  context: Context,
  client: Formwire,
  ids: readonly string[],
  options: ReadOptions,
): Promise<FormModel[]> {
  const forms: FormModel[] = []
  for (const id of ids) {
    const form = await readForm(context, client, id, options)
    if (form.responses === 0)
      throw failed(
        'no_responses',
        `form ${id} has no responses to infer types from`,
        ({ again }) => `submit a test response with every question answered, ${again}`,
      )
    forms.push(await withExactQuestions(context, form))
  }
  return forms
}
