import { serverUrl } from '../../api.ts'
import { link } from '../../router.ts'
import { endpoints, liveForms } from '../../state/catalog.ts'
import { Empty } from '../../ui/empty.tsx'
import { useSubmitCommand } from '../submit-command.ts'

/** Why the log is empty, and what fills it. */
export function NothingYet() {
  const active = new Set(
    (endpoints.data.value ?? []).filter((endpoint) => endpoint.active).map((endpoint) => endpoint.form_id),
  )
  const open = liveForms.value.filter(({ status }) => status === 'published')
  // Only responses to a form with an active endpoint are delivered.
  const form = active.size === 0 ? open[0] : open.find(({ id }) => active.has(id))
  const command = useSubmitCommand(active.size === 0 ? undefined : form)
  if (active.size === 0) {
    return (
      <Empty
        title="No active endpoints"
        icon="endpoints"
        command={`FORMWIRE_BASE_URL=${serverUrl()} formwire listen --form ${form?.id ?? 'FORM_ID'}`}
      >
        Deliveries go to the endpoints of a form.{' '}
        {form ? (
          <a href={link(['forms', form.id, 'endpoints'])}>Add one to a form</a>
        ) : (
          'Publish a form and add one'
        )}
        , or let the CLI create a temporary one and show what arrives. It needs a{' '}
        <a href={link(['keys'])}>write key</a> in FORMWIRE_API_KEY:
      </Empty>
    )
  }
  return (
    <Empty title="No deliveries" icon="deliveries" command={command}>
      Every new response to a form is sent to its active endpoints and appears here live, for 30 days. Send a
      test event from <a href="#/endpoints">Endpoints</a>
      {form ? (
        <>
          , fill in the{' '}
          <a href={form.url} target="_blank" rel="noopener noreferrer">
            public form
          </a>
        </>
      ) : null}
      {command ? ', or submit a response:' : '.'}
    </Empty>
  )
}
