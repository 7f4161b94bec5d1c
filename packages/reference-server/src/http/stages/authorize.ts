import type { KeyScope } from '@formwire/contract'
import { ServiceError } from '../../domain/service-error.ts'
import { planAllows, roleAllows, scopeAllows } from '../../policy/role-scope-plan.ts'
import type { Settings } from '../../settings.ts'
import { type Caller, unauthorized } from './authenticate.ts'

/** Checks plan, scope and role, in this order, on every request (AUTH-03, AUTH-04, AUTH-11, AUTH-13). */
export function authorize(settings: Settings, { key, workspace, role }: Caller, access: KeyScope): void {
  const { writeKeyOnReadPlan, noPlanAccess } = settings.unspecified
  const needed = key.scope === 'write' && writeKeyOnReadPlan === 'refused' ? 'write' : access
  if (!planAllows(workspace.plan, needed)) {
    const message = `The plan of this workspace does not include API ${needed} access.`
    if (noPlanAccess === '401') throw unauthorized(message)
    throw new ServiceError('forbidden', message)
  }
  if (!scopeAllows(key.scope, access))
    throw new ServiceError('forbidden', 'This key is read-only; use a key with write scope.')
  if (!roleAllows(role, access)) {
    throw new ServiceError('forbidden', `The user of this key has the role ${role}, which is read-only.`)
  }
}
