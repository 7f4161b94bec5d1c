import { toneOf } from '@formwire/internal/status-tone'
import type { FormResponse } from '@formwire/sdk'
import { responseFields, responseTailColumns } from '../../columns/responses.ts'
import { formsNamed } from '../../command.ts'
import type { Context } from '../../context.ts'
import { cellsOf } from '../../ui/live-model.ts'
import { mountLiveView } from '../../ui/mount.tsx'

/** Shows the responses of a tail. */
export interface ShownTail {
  show(response: FormResponse): void | Promise<void>
  /** Resolves when the user quits; never for lines. */
  readonly quit: Promise<void>
}

/** Shows `responses tail` on a terminal: one row per response. */
export async function showResponseTail(context: Context, forms: readonly string[]): Promise<ShownTail> {
  const columns = responseTailColumns(context.now, forms.length > 1)
  const client = await context.client()
  const get = (key: string): Promise<FormResponse> => {
    const [form = '', id] = key.split('/')
    return client.responses.get(form, Number(id))
  }
  const { model, quit } = await mountLiveView(context, {
    title: `responses of ${formsNamed(forms)} on ${context.server?.baseUrl}`,
    nouns: ['response', 'responses'],
    columns,
    text: async (key) => JSON.stringify(await get(key)),
    async details(key) {
      const response = await get(key)
      const facts = () => responseFields(response, context.now)
      return { item: response, facts, body: { json: response } }
    },
  })
  return {
    quit,
    show(response) {
      const { form_id, id, status } = response
      model.put({ key: `${form_id}/${id}`, cells: cellsOf(columns, response), tone: toneOf(status) })
    },
  }
}
