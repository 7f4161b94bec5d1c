import type { ReferenceServer } from '@formwire/reference-server'
import type { Formwire } from '@formwire/sdk'
import type { Service } from './service.ts'

/** A copy of a service, in workspace 2. */
export interface Twin {
  server: ReferenceServer
  formwire: Formwire
  submitted(form: string): number[]
}

/** Returns a service whose forms and responses have the ids of the first one, in a workspace with another id. */
export async function twinOf(service: Service): Promise<Twin> {
  const server = await service.server.fork()
  const formwire = service.client({
    fetch: async (...[input, init]: Parameters<typeof fetch>) => {
      const request = new Request(input, init)
      const response = await server.fetch(request)
      if (!request.url.endsWith('/me')) return response
      const { data } = (await response.json()) as { data: { workspace: object } }
      return Response.json({ data: { ...data, workspace: { ...data.workspace, id: 2 } } })
    },
  })
  const submitted = (form: string): number[] =>
    server.app.responses
      .list(form, 'submitted', 0, 1000)
      .items.map(({ id }) => id)
      .sort((a, b) => a - b)
  return { server, formwire, submitted }
}
