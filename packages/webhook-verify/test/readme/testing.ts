import { createDelivery, TAMPERINGS, type Tampering } from '@formwire/webhook-verify/testing'
import { worker } from './fetch.ts'

export async function probeMyReceiver(): Promise<Record<string, number>> {
  const env = { FORMWIRE_WEBHOOK_SECRET: 'whsec_test' }
  const delivery = createDelivery({ secret: 'whsec_test' })
  const statuses: Record<string, number> = {}
  statuses.genuine = (await worker.fetch(delivery.toRequest(), env)).status
  statuses.retry = (await worker.fetch(delivery.retry(new Date()).toRequest(), env)).status
  for (const name of Object.keys(TAMPERINGS) as Tampering[]) {
    statuses[name] = (await worker.fetch(delivery.tamper(name).toRequest(), env)).status
  }
  return statuses
}
