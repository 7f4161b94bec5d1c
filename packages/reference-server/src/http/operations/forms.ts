import { FORM_STATUSES, LIMITS } from '@formwire/contract'
import type { Context } from '../../context.ts'
import { applyFormPatch, readFormPatch } from '../../domain/form-update.ts'
import { createFormWriter } from '../../domain/form-wire.ts'
import { notFound, valueOrThrow } from '../../domain/service-error.ts'
import { readJsonObject } from '../body.ts'
import { jsonItem, jsonList } from '../json-response.ts'
import { readChoice, readPage, refusePastEnd, refuseUnknown } from '../parameters.ts'
import { route } from '../router.ts'
import { type ApiRoute, findForm } from './call.ts'

/** `GET /forms`, `GET` and `PATCH /forms/{id}`. */
export function formRoutes(context: Context): ApiRoute[] {
  const write = createFormWriter(context.settings)
  return [
    route('GET', '/api/v1/forms', ({ query, caller }) => {
      const { unspecified } = context.settings
      refuseUnknown(unspecified, query.keys(), ['status', 'page', 'per_page'])
      const status = readChoice(query, 'status', FORM_STATUSES)
      const page = readPage(query)
      const now = context.clock.now()
      const { forms } = context.state
      const { items, total } = forms.list(caller.workspace.id, status, now, page.from, page.perPage)
      refusePastEnd(unspecified, page, total)
      const texts = items.map((form) => write(form, now))
      return jsonList(texts, page, total)
    }),
    route('GET', '/api/v1/forms/:id', (call) => {
      const form = findForm(context, call)
      refuseUnknown(context.settings.unspecified, call.query.keys(), [])
      return jsonItem(write(form, context.clock.now()))
    }),
    route('PATCH', '/api/v1/forms/:id', async (call) => {
      findForm(context, call)
      const { unspecified } = context.settings
      refuseUnknown(unspecified, call.query.keys(), [])
      const body = await readJsonObject(call.request, LIMITS.bodyMaxBytes, unspecified)
      refuseUnknown(unspecified, Object.keys(body), ['status', 'title'])
      const patch = valueOrThrow(readFormPatch(body, unspecified))
      // Looked up again: the form may have changed while the body was received.
      const form = findForm(context, call)
      // Some deployments show trashed forms, but they cannot be changed until they are restored.
      if (form.trashedAt !== null) throw notFound()
      const now = context.clock.now()
      const patched = valueOrThrow(applyFormPatch(form, patch, now, unspecified))
      const updated = { ...patched, revision: context.state.forms.nextRevision() }
      context.state.forms.put(updated)
      return jsonItem(write(updated, now))
    }),
  ]
}
