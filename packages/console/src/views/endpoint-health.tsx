import type { EndpointHealth } from '@formwire/contract/control'
import { healthText } from '../format.ts'
import { serverNow } from '../state/clock.ts'
import { Badge } from '../ui/badge.tsx'

/** The health of an endpoint: one for lists and pages. */
export const Health = ({ of }: { of: EndpointHealth }) => (
  <Badge state={of.state} text={healthText(of, serverNow.value ?? 0)} title={of.since ?? undefined} />
)
