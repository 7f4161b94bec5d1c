/**
 * Enhances the public form: conditional questions, saving drafts in place, immediate uploads, a signature pad. The page
 * also works without JavaScript, and the server validates everything.
 */
import './form.css'
import { saveDrafts } from './drafts.ts'
import { clearCorrected, followLogic } from './logic.ts'
import { linkOthers } from './others.ts'
import { addSignaturePads } from './signature.ts'
import { guardSubmit, rememberSubmitted, sendChangesAsAnother, warnUnsaved } from './submit.ts'
import { uploadOnSelect } from './uploads.ts'

const form = document.querySelector<HTMLFormElement>('form[data-questions]')
document.documentElement.classList.add('has-script')
document.querySelector<HTMLElement>('[autofocus]')?.focus()
showLocalTimes()
rememberSubmitted()
if (form) {
  linkOthers(form)
  followLogic(form)
  clearCorrected(form)
  addSignaturePads(form)
  uploadOnSelect(form)
  saveDrafts(form)
  guardSubmit(form)
  warnUnsaved(form)
  sendChangesAsAnother(form)
}

/** Replaces UTC times in the page with local times. */
function showLocalTimes(): void {
  const local = new Intl.DateTimeFormat(document.documentElement.lang, {
    dateStyle: 'long',
    timeStyle: 'short',
  })
  const zone = new Intl.DateTimeFormat(document.documentElement.lang, { timeZoneName: 'short' })
  for (const element of document.querySelectorAll<HTMLTimeElement>('time[data-instant]')) {
    const at = new Date(element.dateTime)
    const zoneName = zone.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? ''
    element.textContent = `${local.format(at)} ${zoneName}`.trim()
  }
}
