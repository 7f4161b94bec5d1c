import { source } from '../../state/catalog.ts'

/** Where pulled data comes from, above every view: a copy of a service must not be mistaken for the service. */
export function SourceBanner() {
  const from = source.data.value
  if (!from) return null
  return (
    <aside class="row fault-banner" aria-label="Source of the data">
      <strong>{from.scrubbed === false ? 'Copy with personal data' : 'Scrubbed copy'}</strong>
      <span>
        of <bdi>{from.base_url}</bdi>. Changes stay on this server.
      </span>
    </aside>
  )
}
