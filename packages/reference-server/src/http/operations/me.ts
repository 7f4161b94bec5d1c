import type { Me } from '@formwire/contract'
import type { Context } from '../../context.ts'
import { item } from '../json-response.ts'
import { refuseUnknown } from '../parameters.ts'
import { route } from '../router.ts'
import type { ApiRoute } from './call.ts'

/** `GET /me` (ME-01). */
export const meRoutes = ({ settings }: Context): ApiRoute[] => [
  route('GET', '/api/v1/me', ({ caller: { user, workspace, role, key }, query }) => {
    refuseUnknown(settings.unspecified, query.keys(), [])
    const me: Me = {
      user: { id: user.id, name: user.name, email: user.email },
      workspace: { id: workspace.id, name: workspace.name, role },
      key: { id: key.id, name: key.name, prefix: key.prefix, scope: key.scope },
    }
    return item(me)
  }),
]
