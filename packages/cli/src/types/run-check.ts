import type { Context } from '../context.ts'
import { EXIT, type ExitCode } from '../exit.ts'
import { Failure, fileFailure, usage } from '../failure.ts'
import { countOf } from '../output/progress.ts'
import { safeLine } from '../output/text-safety.ts'
import { type Difference, differences } from './compare.ts'
import { readForm } from './read-form.ts'
import { readBounded, readStamp, type Stamp } from './stamp.ts'
import type { TypesFlags } from './types-options.ts'

/** Compares forms, or all of a generated file, with this file and prints the differences. Exit 1 if there are any. */
export async function runCheck(
  context: Context,
  given: readonly string[],
  file: string,
  { format, sample }: TypesFlags,
): Promise<ExitCode> {
  const text = await readBounded(file).catch((error: unknown) => {
    if (error instanceof Failure) throw error
    throw fileFailure(`read ${file}`, error, 'pass a file that formwire types --out has written')
  })
  const stamp = readStamp(text, file)
  if (format !== undefined && format !== stamp.format)
    throw usage(`${file} has the format ${stamp.format}, not ${format}`, 'remove --format')
  const client = await context.client()
  const ids = given.length > 0 ? given : stamp.forms.map(({ id }) => id)
  const forms: { id: string; responses: number }[] = []
  const found: Difference[] = []
  for (const id of ids) {
    const form = await readForm(context, client, id, { sample })
    const stamped = stamp.forms.find((one) => one.id === id)
    forms.push({ id, responses: form.responses })
    found.push(...differences(form, stamped))
  }
  await print(context, file, stamp, forms, found)
  return found.length > 0 ? EXIT.failed : EXIT.done
}

async function print(
  { output }: Context,
  file: string,
  stamp: Stamp,
  forms: { id: string; responses: number }[],
  found: readonly Difference[],
): Promise<void> {
  const { format } = stamp
  if (output.json) {
    await output.document({ file, format, passed: found.length === 0, forms, differences: found })
    return
  }
  for (const { form_id, question_id, message } of found) {
    await output.line(safeLine(`${form_id}${question_id === null ? '' : ` ${question_id}`}: ${message}`))
  }
  if (found.length === 0) {
    const count = forms.reduce((sum, { responses }) => sum + responses, 0)
    output.note(`${file} covers ${countOf(count, 'response')}`, 'good')
  } else {
    const ids = new Set([...stamp.forms, ...forms].map(({ id }) => id))
    output.note(
      `update it with: formwire types ${[...ids].join(' ')} --format ${format} --out ${file}`,
      'wait',
    )
  }
}
