import type { KeyScope } from '@formwire/contract'
import { planAllows } from '../../policy/plan.ts'
import { roleAllows } from '../../policy/role.ts'
import { scopeAllows } from '../../policy/scope.ts'
import type { Settings } from '../../settings.ts'
import { ServiceError } from '../errors.ts'
import type { Caller } from '../operations/call.ts'
import { unauthorized } from './authenticate.ts'

/** Plan, then scope, then role; each is looked at anew at every request (AUTH-03, AUTH-04, AUTH-11, AUTH-13). */
export function authorize(settings: Settings, { key, workspace, role }: Caller, access: KeyScope): void {
  if (!planAllows(workspace.plan, access)) {
    const message = `The plan of this workspace has no API ${access} access.`
    if (settings.unspecified.noPlanAccess === '401') throw unauthorized(message)
    throw new ServiceError('forbidden', message)
  }
  if (!scopeAllows(key.scope, access)) throw new ServiceError('forbidden', 'This key may only read.')
  if (!roleAllows(role, access)) {
    throw new ServiceError('forbidden', `The role of this key's user, ${role}, may only read.`)
  }
}
