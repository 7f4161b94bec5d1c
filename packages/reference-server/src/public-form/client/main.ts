/**
 * What the public form gains with JavaScript: logic, drafts that are saved in place, files that upload at once, a pad to
 * sign on, sliders. Without it the page works too; the server checks everything either way.
 */
import './form.css'
import { saveDrafts } from './drafts.ts'
import { tellLocalTimes } from './local-times.ts'
import { followLogic } from './logic.ts'
import { linkOthers } from './others.ts'
import { keepPlacesApart } from './places.ts'
import { addSignaturePads } from './signature.ts'
import { addSliders } from './sliders.ts'
import { guardSubmit } from './submit.ts'
import { uploadAtOnce } from './uploads.ts'

const form = document.querySelector<HTMLFormElement>('form[data-questions]')
document.documentElement.classList.add('has-script')
document.querySelector<HTMLElement>('.summary')?.focus()
tellLocalTimes()
if (form) {
  addSliders(form)
  linkOthers(form)
  keepPlacesApart(form)
  followLogic(form)
  addSignaturePads(form)
  uploadAtOnce(form)
  saveDrafts(form)
  guardSubmit(form)
}
