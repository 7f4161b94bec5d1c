import {
  type AddressRules,
  judgeAddresses,
  judgeUrl,
  type Refusal,
  type WebhookTarget,
} from '../policy/address-rules.ts'
import { type ResolveHost, resolveAll } from './resolve-host.ts'
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
 * @throws AddressRefusedError when it breaks one.
 * @throws HostNotResolvedError when its host has no address.
 */
export async function vetUrl(text: string, settings: AddressSettings): Promise<WebhookTarget> {
  const target = requireAllowed(judgeUrl(text, settings.rules))
  const addresses = needsLookup(target, settings.routes)
    ? await resolveAll(settings.resolve, target.host)
    : null
  vetAddresses(target, addresses ?? (target.literal ? [target.host] : []), settings.rules)
  return target
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
