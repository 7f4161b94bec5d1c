import {
  type AddressRules,
  judgeAddresses,
  judgeUrl,
  type Refusal,
  type WebhookTarget,
} from '../policy/address-rules.ts'
import { HostNotResolvedError, type ResolveHost, resolveAll } from './resolve-host.ts'
import type { Routes } from './routes.ts'

/** What every look at an address goes by. */
export interface AddressSettings {
  readonly rules: AddressRules
  readonly routes: Routes
  readonly resolve: ResolveHost
}

/** A url that breaks the address rules. Never sent to. */
export class AddressRefusedError extends Error {
  override readonly name = 'AddressRefusedError'

  constructor(refusal: Refusal) {
    super(refusal.refused)
  }
}

/** Whether the addresses of a target have to be looked up to judge it: a literal was judged with the url itself. */
export function needsLookup(target: WebhookTarget, routes: Routes): boolean {
  return !target.literal && !routes.has(target.host)
}

/**
 * Judges a webhook url by all address rules, DNS included (HOOK-04).
 *
 * @param unresolved What to do about a host without an address: refuse the url, or accept it as it is.
 * @throws AddressRefusedError when it breaks a rule.
 * @throws HostNotResolvedError when its host has no address, unless that is accepted.
 */
export async function vetUrl(
  text: string,
  settings: AddressSettings,
  unresolved: 'refuse' | 'accept',
): Promise<WebhookTarget> {
  const target = requireAllowed(judgeUrl(text, settings.rules))
  vetAddresses(target, await addressesOf(target, settings, unresolved), settings.rules)
  return target
}

async function addressesOf(
  target: WebhookTarget,
  { routes, resolve }: AddressSettings,
  unresolved: 'refuse' | 'accept',
): Promise<readonly string[]> {
  if (target.literal) return [target.host]
  if (!needsLookup(target, routes)) return []
  try {
    return await resolveAll(resolve, target.host)
  } catch (error) {
    if (unresolved === 'accept' && error instanceof HostNotResolvedError) return []
    throw error
  }
}

/** @throws AddressRefusedError when one of the addresses is not allowed. */
export function vetAddresses(target: WebhookTarget, addresses: readonly string[], rules: AddressRules): void {
  const refusal = judgeAddresses(target, addresses, rules)
  if (refusal) throw new AddressRefusedError(refusal)
}

/** @throws AddressRefusedError for a refusal; gives anything else back. */
export function requireAllowed<Value extends object>(judged: Value | Refusal): Value {
  if ('refused' in judged) throw new AddressRefusedError(judged as Refusal)
  return judged
}
