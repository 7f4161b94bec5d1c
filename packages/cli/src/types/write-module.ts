import type { TypesFormat } from './formats.ts'
import { writeJsonSchema } from './json-schema.ts'
import type { FormModel } from './model.ts'
import { type NamedForm, nameForms } from './names.ts'
import { stamped } from './stamp.ts'
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
