import { RESPONSE_STATUSES } from '@formwire/contract'
import { readChoice } from '../../http/parameters.ts'
import type { Route } from '../../http/route.ts'
import { EXPORT_FORMATS } from '../../services/response-export.ts'
import type { ControlParts } from '../control-parts.ts'
import { list, one, pathId } from './shared.ts'

const TYPES = { csv: 'text/csv; charset=utf-8', json: 'application/json' } as const

/** Routes that read the answers of a form as a whole: its summary, its export, and what became of one response. */
export const formReportRoutes = ({ app }: Pick<ControlParts, 'app'>): Route[] => [
  one('GET', '/_app/forms/:id/summary', ({ params }) => app.responses.summary(params.id ?? '')),
  {
    method: 'GET',
    pattern: '/_app/forms/:id/export',
    parameters: ['format', 'status'],
    run: ({ params, query }) => {
      const { id, slug } = app.forms.get(params.id ?? '')
      const format = readChoice(query, 'format', EXPORT_FORMATS) ?? 'csv'
      const status = readChoice(query, 'status', RESPONSE_STATUSES) ?? 'submitted'
      const name = `${slug}${status === 'submitted' ? '' : '-drafts'}.${format}`
      return {
        status: 200,
        headers: {
          'content-type': TYPES[format],
          'content-disposition': `attachment; filename="${name}"`,
          'cache-control': 'no-store',
        },
        body: app.responses.export(id, format, status),
      }
    },
  },
  list('/_app/forms/:id/responses/:responseId/deliveries', ({ params }) => {
    const { formId, id } = app.responses.get(params.id ?? '', pathId(params.responseId))
    return app.deliveries.ofResponse(formId, id)
  }),
]
