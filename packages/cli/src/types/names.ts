import type { FormModel } from './model.ts'

/** Characters of a name. */
const MAX_LENGTH = 60

/** Names that generated modules use themselves. */
const RESERVED = ['TypedAnswer', 'Choice', 'OpenId', 'UploadedFile', 'Address', 'Record', 'Array']

/** A form and its name in generated code. */
export interface NamedForm extends FormModel {
  /** `GuestFeedback` for the form "Guest feedback". */
  readonly name: string
}

/** Names each form after its title; forms with the same name are numbered in the given order. */
export function nameForms(forms: readonly FormModel[]): NamedForm[] {
  const taken = new Set(RESERVED)
  return forms.map((form) => {
    const base = pascalCase(form.title) ?? `Form${form.id.replace(/[^A-Za-z0-9]/g, '')}`
    let name = base
    for (let number = 2; taken.has(name); number += 1) name = `${base}${number}`
    taken.add(name)
    return { ...form, name }
  })
}

/** Latin letters that Unicode does not decompose. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  Æ: 'Ae',
  œ: 'oe',
  Œ: 'Oe',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
}

/** Returns an ASCII type name; undefined if the title has no Latin letter to begin with. */
function pascalCase(title: string): string | undefined {
  const words = title
    .normalize('NFKD')
    .replace(/[\p{M}'’]/gu, '')
    .replace(/[ßæÆœŒøØłŁđĐ]/g, (letter) => LETTERS[letter] ?? '')
    .match(/[A-Za-z0-9]+/g)
  const name = (words ?? [])
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
    .slice(0, MAX_LENGTH)
  if (name === '') return undefined
  return /^\d/.test(name) ? `Form${name}` : name
}
