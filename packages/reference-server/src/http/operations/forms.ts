import { FORM_STATUSES, LIMITS } from '@formwire/contract'
import type { Context } from '../../context.ts'
import { applyFormPatch, type Refusal, readFormPatch } from '../../domain/form-update.ts'
import type { FormWriter } from '../../domain/form-wire.ts'
import { itemText, listText } from '../answers.ts'
import { readJsonObject } from '../body.ts'
import { notFound, ServiceError } from '../errors.ts'
import { readChoice, readPage, refuseUnknown } from '../parameters.ts'
import { refusePastEnd } from '../past-end.ts'
import type { ApiRoute } from './call.ts'
import { findForm } from './find.ts'

/** `GET /forms`, `GET` and `PATCH /forms/{id}`. */
export const formRoutes = (context: Context, write: FormWriter): ApiRoute[] => [
  {
    method: 'GET',
    pattern: '/api/v1/forms',
    run: ({ query, caller }) => {
      const { unspecified } = context.settings
      refuseUnknown(unspecified, query.keys(), ['status', 'page', 'per_page'])
      const status = readChoice(query, 'status', FORM_STATUSES)
      const page = readPage(query)
      const { items, total } = context.state.forms.list(caller.workspace.id, status, page.from, page.perPage)
      refusePastEnd(unspecified, page, total)
      return listText(items.map(write), page, total)
    },
  },
  {
    method: 'GET',
    pattern: '/api/v1/forms/:id',
    run: (call) => {
      const form = findForm(context, call)
      refuseUnknown(context.settings.unspecified, call.query.keys(), [])
      return itemText(write(form))
    },
  },
  {
    method: 'PATCH',
    pattern: '/api/v1/forms/:id',
    run: async (call) => {
      findForm(context, call)
      const { unspecified } = context.settings
      refuseUnknown(unspecified, call.query.keys(), [])
      const body = await readJsonObject(call.request, LIMITS.bodyMaxBytes)
      refuseUnknown(unspecified, Object.keys(body), ['status', 'title'])
      const reading = readFormPatch(body, unspecified)
      if (!reading.ok) throw errorOf(reading.refusal)
      // Looked up again: the form may have changed while the body came in.
      const form = findForm(context, call)
      // A trashed form can only be here when reads show it; nothing changes it before it is restored.
      if (form.trashedAt !== null) throw notFound()
      const result = applyFormPatch(form, reading.patch, context.clock.now(), unspecified)
      if (!result.ok) throw errorOf(result.refusal)
      const updated = { ...result.form, revision: context.state.forms.nextRevision() }
      context.state.forms.put(updated)
      return itemText(write(updated))
    },
  },
]

function errorOf({ code, message, field }: Refusal): ServiceError {
  return new ServiceError(code, message, field === undefined ? undefined : { field })
}
