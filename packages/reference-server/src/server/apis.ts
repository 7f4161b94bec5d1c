import { type App, createApp } from '../app.ts'
import { ManualClock } from '../clock/index.ts'
import type { SignInCodes } from '../console/sign-in-codes.ts'
import { createControlApi } from '../control/control-api.ts'
import { type Api, createApi } from '../http/api.ts'
import type { RouteGroup } from '../http/handler.ts'
import { apiRoutes } from '../http/operations.ts'
import { createEndpoints } from '../services/endpoints.ts'
import type { State } from '../store/state.ts'
import type { ServerParts } from './parts.ts'
import type { Seeding } from './seeding.ts'

/** Creates the API, and the control API in process and over HTTP. */
export function composeApis(
  parts: ServerParts,
  seeding: Seeding,
  signIns: SignInCodes,
): { readonly api: Api; readonly app: App; readonly control: RouteGroup } {
  const { context, delivery, faults, receivers, builtIn, adminToken, allowedHosts, closing } = parts
  const startedAt = context.clock.now()
  const webhooks = createEndpoints(context, delivery)
  const api = createApi(context, apiRoutes(context, webhooks))
  const replaceState = (state: State, now: number | undefined): void => {
    if (now !== undefined && context.clock instanceof ManualClock) context.clock.set(now)
    context.state = state
    builtIn.connect()
    api.forgetLimits()
    delivery.reset()
  }
  const app = createApp({
    ...parts,
    webhooks,
    actor: () => seeding.credentials,
    replaceState,
    reset: () => {
      replaceState(seeding.restart(), startedAt)
      faults.restart()
      builtIn.restart()
      void receivers.clear()
    },
  })
  const control = createControlApi({
    adminToken,
    allowedHosts,
    load: async () => {
      const { controlRoutes } = await import('../control/routes/index.ts')
      return controlRoutes({
        ...parts,
        app,
        loadPreviews: async () => {
          const { previewPage } = await import('../public-form/pages.ts')
          return (content, preview) => previewPage(content, context, preview)
        },
        redeemSignIn: (code) => (signIns.redeem(code) ? adminToken : undefined),
        closing: closing.signal,
      })
    },
  })
  return { api, app, control }
}
