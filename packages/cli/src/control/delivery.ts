import type { DeliveryDetail } from '@formwire/contract/control'

export type { Delivery } from '@formwire/contract/control'

/** One delivery with its raw body and all its attempts. Unknown members pass through (ENV-04). */
export type DeliveryDetails = DeliveryDetail & { [member: string]: unknown }
