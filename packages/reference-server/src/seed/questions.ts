import { type KnownQuestionType, QUESTION_TYPES } from '@formwire/contract'
import { type Given, given } from '@formwire/internal/given'
import { OptionError, refuseUnknownOptions } from '../known-names.ts'
import { findUnknownField, QUESTION_FIELDS } from '../services/question-fields.ts'
import type { SeedChoice, SeedQuestion } from './format.ts'

/** Creates options, rows or columns from labels: `choices('Twin', 'Double room')` has the ids `twin` and `double_room`. */
export const choices = (...labels: string[]): SeedChoice[] =>
  labels.map((label) => ({
    id: label
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/^_|_$/g, ''),
    label,
  }))

/**
 * Returns a complete question of a type: choices have options, grids have rows and columns.
 * @throws OptionError for an unknown field, also in an option, a row, a column or `show_if`.
 */
export function makeQuestion(type: KnownQuestionType, overrides: Given<SeedQuestion> = {}): SeedQuestion {
  refuseUnknownOptions(overrides, QUESTION_FIELDS, 'makeQuestion')
  const unknown = findUnknownField(overrides)
  if (unknown) throw new OptionError(`${unknown.path}: ${unknown.message}`)
  return { id: type, type, ...structuredClone(TEMPLATES[type]), ...given(overrides) } as SeedQuestion
}

/** Returns one question of every documented type, in the order of RESP-07. The ids are the types. */
export const everyQuestion = (): SeedQuestion[] => QUESTION_TYPES.map((type) => makeQuestion(type))

const TEMPLATES: Record<KnownQuestionType, Omit<SeedQuestion, 'id' | 'type'>> = {
  short_text: { title: 'Your name', required: true },
  long_text: { title: 'Anything we should know?' },
  email: { title: 'Email address', required: true },
  url: { title: 'Your website' },
  phone: { title: 'Phone number' },
  date: { title: 'Arrival date' },
  time: { title: 'Arrival time' },
  number: { title: 'How many people?', min: 1, max: 12 },
  scale: { title: 'How easy was booking?', min: 1, max: 10 },
  rating: { title: 'How do you rate us?', min: 1, max: 5 },
  nps: { title: 'How likely are you to recommend us?', min: 0, max: 10 },
  slider: { title: 'How warm should your room be?', min: 16, max: 26 },
  single_choice: { title: 'Which room?', options: choices('Twin', 'Double', 'Family'), allow_other: true },
  multiple_choice: {
    title: 'What will you join?',
    options: choices('Hike', 'Sauna', 'Dinner', 'Morning yoga'),
  },
  dropdown: { title: 'How did you hear of us?', options: choices('Search', 'Friend', 'Newsletter', 'Press') },
  yes_no: { title: 'Have you stayed with us before?' },
  ranking: { title: 'Put these in your order', options: choices('Quiet', 'Food', 'Location') },
  grid_single: {
    title: 'How was …?',
    rows: choices('Service', 'Cleanliness', 'Food'),
    columns: choices('Poor', 'Fair', 'Good'),
  },
  grid_multiple: {
    title: 'When are you free?',
    rows: choices('Friday', 'Saturday'),
    columns: choices('Morning', 'Afternoon', 'Evening'),
  },
  file: { title: 'A document to attach' },
  signature: { title: 'Sign here' },
  address: { title: 'Your address' },
}
