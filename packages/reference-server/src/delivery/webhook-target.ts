import { type Result, refused } from '../domain/result.ts'
import { type AddressRules, checkAddresses, checkUrl, type WebhookTarget } from '../policy/address-rules.ts'
import { AttemptFailure } from './attempt-failure.ts'
import type { HostOverrides } from './host-overrides.ts'
import { type ResolveHost, resolveAll } from './resolve-host.ts'

/** What every check of an address depends on. */
export interface AddressSettings {
  readonly rules: AddressRules
  readonly hostOverrides: HostOverrides
  readonly resolve: ResolveHost
}

/** Whether the host must be resolved to check its addresses. A literal IP address was checked with the URL. */
export function needsLookup(target: WebhookTarget, hostOverrides: HostOverrides): boolean {
  return !target.literal && !hostOverrides.has(target.host)
}

/**
 * Checks a webhook URL against all address rules, DNS included (HOOK-04).
 *
 * @param unresolved Whether to refuse or accept a host without an address.
 */
export async function checkWebhookUrl(
  text: string,
  settings: AddressSettings,
  unresolved: 'refuse' | 'accept',
): Promise<Result<WebhookTarget>> {
  const checked = checkUrl(text, settings.rules)
  if (!checked.ok) return checked
  const target = checked.value
  try {
    const { hostOverrides, resolve, rules } = settings
    const found = needsLookup(target, hostOverrides) ? await resolveAll(resolve, target.host) : []
    return checkAddresses(target, target.literal ? [target.host] : found, rules)
  } catch (error) {
    if (!(error instanceof AttemptFailure)) throw error
    if (unresolved === 'accept') return checkAddresses(target, [], settings.rules)
    return refused({ field: 'url', message: error.message })
  }
}

/** Returns the target of a check that it passed. @throws AttemptFailure `address_refused` for a refusal. */
export function requireAllowed<Target>(checked: Result<Target>): Target {
  if (checked.ok) return checked.value
  throw new AttemptFailure('address_refused', checked.refusal.message)
}
