import { given } from '@formwire/internal/given'
import { Formwire } from '@formwire/sdk'
import { namesOf, OptionError, refuseUnknownOptions } from '../known-names.ts'
import { IN_PROCESS_URL } from '../options.ts'
import type { Seed } from '../seed/format.ts'
import type { ServiceAccess } from './client.ts'
import { pullWorkspace } from './pull.ts'
import { PullError } from './pull-error.ts'
import type { PullOptions } from './settings.ts'

/** A service to pull from, what to pull, and how to scrub it. */
export interface PullFrom
  extends ServiceAccess,
    Omit<PullOptions, 'baseUrl' | 'requireForms' | 'now' | 'nameOfOption' | 'onProgress'> {}

const OPTIONS = namesOf<PullFrom>({
  baseUrl: true,
  apiKey: true,
  fetch: true,
  rateLimit: true,
  forms: true,
  since: true,
  limit: true,
  drafts: true,
  endpoints: true,
  scrub: true,
  keep: true,
  replace: true,
  key: true,
  shiftMs: true,
  signal: true,
})

/**
 * Pulls a workspace into memory. Loaded lazily: the only module of the server that imports the SDK, which is bundled. @throws OptionError for an invalid option. PullError for a workspace that cannot be pulled.
 * The error of the SDK for a service that cannot be read, and for a form that is not found
 */
export async function pullFrom(options: PullFrom): Promise<Seed> {
  refuseUnknownOptions(options, OPTIONS, 'pull')
  const { apiKey, fetch, rateLimit, ...rest } = options
  // As the client does.
  const baseUrl = options.baseUrl ?? (process.env.FORMWIRE_BASE_URL || (fetch && IN_PROCESS_URL))
  const client = new Formwire(given({ apiKey, baseUrl, fetch, rateLimit }))
  try {
    // The client has refused to be without a base URL.
    const { seed } = await pullWorkspace(client, { ...rest, baseUrl: baseUrl ?? '', requireForms: true })
    return await seed()
  } catch (error) {
    if (!(error instanceof PullError && error.code === 'pull_option')) throw error
    throw new OptionError(`pull: ${error.message}.`, { cause: error })
  }
}
