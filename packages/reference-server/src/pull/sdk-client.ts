import { Formwire } from '@formwire/sdk'
import type { PullClient, ServiceAccess } from './client.ts'

/** Returns a client of the service. Loaded lazily: the only module of the server that imports the SDK, which is bundled. */
export function createSdkClient({ baseUrl, apiKey, fetch, rateLimit }: ServiceAccess): PullClient {
  return new Formwire({
    ...(baseUrl !== undefined && { baseUrl }),
    ...(apiKey !== undefined && { apiKey }),
    ...(fetch && { fetch }),
    ...(rateLimit === false && { rateLimit }),
  })
}
