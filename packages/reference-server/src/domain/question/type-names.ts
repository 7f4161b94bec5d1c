import type { KnownQuestionType, QuestionType } from '@formwire/contract'
import type { Unspecified } from '../../unspecified.ts'

/** Type names where `questionTypeNames` is `variant`. The service document shows only two names (RESP-07). */
const VARIANT_NAMES: Readonly<Record<KnownQuestionType, string>> = {
  short_text: 'text',
  long_text: 'long_text',
  email: 'email_address',
  url: 'website',
  phone: 'phone_number',
  date: 'calendar_date',
  time: 'time_of_day',
  number: 'numeric',
  scale: 'linear_scale',
  rating: 'rating',
  nps: 'net_promoter_score',
  slider: 'range',
  single_choice: 'radio',
  multiple_choice: 'checkboxes',
  dropdown: 'select',
  yes_no: 'boolean',
  ranking: 'rank_order',
  grid_single: 'matrix_single',
  grid_multiple: 'matrix_multiple',
  file: 'file_upload',
  signature: 'signature_image',
  address: 'postal_address',
}

const NAMES: ReadonlyMap<string, string> = new Map(Object.entries(VARIANT_NAMES))

/** No variant name is the default name of another type, so each name identifies one type. */
const TYPES: ReadonlyMap<string, string> = new Map([...NAMES].map(([type, name]) => [name, type]))

/** Returns the name of a type in answers. */
export function typeName(type: QuestionType, names: Unspecified['questionTypeNames']): QuestionType {
  return names === 'variant' ? (NAMES.get(type) ?? type) : type
}

/** Returns the type for a name in an answer. */
export const typeOfName = (name: string): QuestionType => TYPES.get(name) ?? name
