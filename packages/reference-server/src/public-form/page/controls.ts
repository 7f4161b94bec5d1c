import type { KnownQuestionType } from '@formwire/contract'
import type { Question } from '../../domain/question/index.ts'
import { checkboxes, dropdown, gridMultiple, gridSingle, radioButtons, ranking } from './choice-controls.ts'
import type { Control } from './control.ts'
import {
  addressFields,
  dateInput,
  emailInput,
  isStarRating,
  longText,
  npsSteps,
  numberInput,
  phoneInput,
  shortText,
  stars,
  steps,
  stepsOf,
  timeInput,
  urlInput,
} from './field-controls.ts'
import { fileUpload, signature } from './file-controls.ts'

const CONTROLS: Readonly<Record<KnownQuestionType, Control>> = {
  short_text: shortText,
  long_text: longText,
  email: emailInput,
  url: urlInput,
  phone: phoneInput,
  date: dateInput,
  time: timeInput,
  number: numberInput,
  scale: steps,
  rating: steps,
  nps: npsSteps,
  slider: numberInput,
  single_choice: radioButtons,
  multiple_choice: checkboxes,
  dropdown,
  yes_no: radioButtons,
  ranking,
  grid_single: gridSingle,
  grid_multiple: gridMultiple,
  file: fileUpload,
  signature,
  address: addressFields,
}

const STEPS: ReadonlySet<Control> = new Set([steps, npsSteps])

/** Returns the control of a question. A scale with too many steps for buttons gets a number field. */
export function controlOf(question: Question): Control {
  const control = CONTROLS[question.type]
  if (!STEPS.has(control)) return control
  if (!stepsOf(question)) return numberInput
  return isStarRating(question) ? stars : control
}
