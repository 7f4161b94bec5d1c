import type { Context } from '../../context.ts'
import { createFormWriter } from '../../domain/form-wire.ts'
import type { Endpoints } from '../../services/endpoints.ts'
import type { ApiRoute } from './call.ts'
import { formRoutes } from './forms.ts'
import { meRoutes } from './me.ts'
import { responseRoutes } from './responses.ts'
import { webhookRoutes } from './webhooks.ts'

/** The routes of the API. */
export const apiRoutes = (context: Context, webhooks: Endpoints): ApiRoute[] => [
  ...meRoutes(context),
  ...formRoutes(context, createFormWriter(context.settings)),
  ...responseRoutes(context),
  ...webhookRoutes(context, webhooks),
]
