/**
 * Enhances the public form: conditional questions, saving drafts in place, immediate uploads, a signature pad, sliders,
 * rankings by drag. The page also works without JavaScript, and the server validates everything.
 */
import './form.css'
import { sendChangesAsAnother } from './another-response.ts'
import { saveDrafts } from './drafts.ts'
import { showLocalTimes } from './local-times.ts'
import { clearCorrected, followLogic } from './logic.ts'
import { linkOthers } from './others.ts'
import { makeRankingsSortable } from './rankings.ts'
import { addSignaturePads } from './signature.ts'
import { addSliders } from './sliders.ts'
import { guardSubmit } from './submit.ts'
import { warnUnsaved } from './unsaved.ts'
import { uploadOnSelect } from './uploads.ts'

const form = document.querySelector<HTMLFormElement>('form[data-questions]')
document.documentElement.classList.add('has-script')
document.querySelector<HTMLElement>('.summary')?.focus()
showLocalTimes()
if (form) {
  addSliders(form)
  linkOthers(form)
  makeRankingsSortable(form)
  followLogic(form)
  clearCorrected(form)
  addSignaturePads(form)
  uploadOnSelect(form)
  saveDrafts(form)
  guardSubmit(form)
  warnUnsaved(form)
  sendChangesAsAnother(form)
}
