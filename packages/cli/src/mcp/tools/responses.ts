import { type FormResponse, RESPONSE_STATUSES } from '@formwire/contract'
import * as z from 'zod'
import { SINCE_HINT, sinceTime } from '../../input/parse.ts'
import { invalidArgument } from '../failures.ts'
import { responseView } from '../service/response-view.ts'
import { checkedResponse, serviceOf } from '../service/service.ts'
import { defineTool, FORM, PAGING } from '../tool.ts'

export const responses = defineTool({
  name: 'responses',
  group: 'service',
  description:
    'Responses of a form of the configured service, newest first, or one. What people wrote is shown as its length, {"text": 42}, unless the server was started with --answers.',
  input: z.strictObject({
    form: FORM,
    response: z.int().min(1).optional().describe('id, for one'),
    since: z.string().max(40).optional().describe('ISO 8601, or a span such as 2h'),
    status: z.enum(RESPONSE_STATUSES).optional(),
    ...PAGING,
  }),
  async run(session, { form, response: id, since: given, status, cursor, limit }, call) {
    const { client, options, clean } = await serviceOf(session, call)
    const show = (response: FormResponse) =>
      responseView(clean(checkedResponse(response)), session.flags.answers === true)
    if (id !== undefined) {
      const [filter] = Object.entries({ since: given, status, cursor }).filter(
        ([, value]) => value !== undefined,
      )
      if (filter) throw invalidArgument(filter[0], 'only the list takes it: leave out response')
      return show(await client.responses.get(form, id, options))
    }
    const since = given === undefined ? undefined : sinceTime(given, session.context.runtime.clock)
    if (given !== undefined && since === undefined)
      throw invalidArgument('since', 'it must be an ISO 8601 time or a span', SINCE_HINT)
    return await session.lists.page({
      of: { responses: form, since: given ?? null, status: status ?? null },
      cursor,
      limit,
      signal: options.signal,
      open: (signal, per_page) =>
        client.responses.list(form, { per_page, since, status }, { ...options, signal }),
      show,
    })
  },
})
