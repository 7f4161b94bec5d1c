import { acceptedContent, inputRequired } from '@modelcontextprotocol/server'
import * as z from 'zod'
import { EXIT } from '../../exit.ts'
import { Failure } from '../../failure.ts'
import {
  applyChange,
  CHANGES,
  cannotAsk,
  deletedBy,
  isDeletion,
  questionOf,
  readChange,
  requireUnchanged,
} from '../service/change.ts'
import { formRow, serviceOf } from '../service/service.ts'
import { defineTool, FORM, WRITES } from '../tool.ts'

/** Responses of one deletion: each costs four requests. */
const MAX_IDS = 20

/** What the user has to reply. */
const CONFIRMED = z.strictObject({ confirm: z.literal(true) })

export const change = defineTool({
  name: 'change',
  group: 'write',
  description:
    'Change the configured service. The user is asked about every change. A deletion returns a preview with a token first: call again with it.',
  input: z.strictObject({
    action: z.enum(CHANGES),
    form: FORM,
    title: z.string().min(1).max(400).optional().describe('for rename'),
    ids: z.array(z.int().min(1)).min(1).max(MAX_IDS).optional().describe('what to delete'),
    url: z.string().max(500).optional().describe('of the new endpoint'),
    secret_file: z.string().min(1).max(1000).optional().describe("new file for the new endpoint's secret"),
    token: z.string().max(100).optional().describe('of the preview'),
  }),
  annotations: WRITES,
  async run(session, given, call) {
    const { context, previews, questions } = session
    const change = readChange(given)
    const service = await serviceOf(session, call)
    if (!call.canAsk) throw cannotAsk(change)
    const asked = call.mcpReq.requestState()
    if (asked !== undefined) {
      const confirmed = questions.redeem(String(asked), given)
      if (!confirmed || !acceptedContent(call.mcpReq.inputResponses, 'change', CONFIRMED))
        throw notConfirmed()
      if (isDeletion(change))
        requireUnchanged(confirmed, (await deletedBy(service, change, 'allowed')).states)
      return await applyChange(session, service, change)
    }
    const previewed = given.token === undefined ? undefined : previews.redeem(given.token, change)
    if (isDeletion(change) && given.token !== undefined && !previewed) throw unknownToken()
    const form = service.clean(await service.client.forms.get(change.form, service.options))
    const deleted = isDeletion(change) ? await deletedBy(service, change) : { rows: [], states: {} }
    if (isDeletion(change) && !previewed) {
      const token = previews.issue(change, deleted.states)
      const note = 'nothing was deleted; the token is valid once'
      return { form: formRow(form), deletes: deleted.rows, token, note }
    }
    requireUnchanged(previewed ?? {}, deleted.states)
    if (
      (change.action === 'close' && form.status === 'closed') ||
      (change.action === 'reopen' && form.status === 'published')
    )
      return { changed: false, form: formRow(form) }
    const { baseUrl } = context.credentials()
    return inputRequired({
      requestState: questions.issue(given, deleted.states),
      inputRequests: {
        change: inputRequired.elicit({
          message: questionOf(service.clean(change), form, baseUrl, deleted),
          requestedSchema: {
            type: 'object',
            properties: { confirm: { type: 'boolean', title: 'Make this change', default: false } },
            required: ['confirm'],
          },
        }),
      },
    })
  },
})

const notConfirmed = (): Failure =>
  new Failure('the user did not confirm the change; nothing was changed', {
    exitCode: EXIT.failed,
    code: 'not_confirmed',
    hint: 'ask them before you try again',
  })

const unknownToken = (): Failure =>
  new Failure('the token is not one of a preview of this deletion; nothing was deleted', {
    exitCode: EXIT.failed,
    code: 'invalid_token',
    hint: 'a token is valid once, for ten minutes and the same action, form and ids: preview again, without token',
  })
