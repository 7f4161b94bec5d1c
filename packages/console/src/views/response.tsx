import type { FormResponse } from '@formwire/contract'
import type { Delivery } from '@formwire/contract/control'
import { call, formPath, get } from '../api.ts'
import { count } from '../format.ts'
import { go, link, route } from '../router.ts'
import { endpointText, forms } from '../state/catalog.ts'
import { deliveryPulse } from '../state/deliveries.ts'
import { useResource } from '../state/resource.ts'
import { act } from '../ui/announcer.tsx'
import { Copy } from '../ui/copy.tsx'
import { confirmed } from '../ui/dialog.tsx'
import { NotLoaded, useItem, useRefreshing } from '../ui/loading.tsx'
import { MenuButton } from '../ui/menu.tsx'
import { type Neighbours, Pane } from '../ui/pane.tsx'
import { Badge, Facts, Json, Line, Passage, Time } from '../ui/values.tsx'
import { typeName } from './builder/model.ts'
import { Section } from './delivery/attempts.tsx'
import { ReplayButton } from './log/bulk-actions.tsx'

const answerItem = ({ question_id: id, title, type, text }: FormResponse['answers'][number]) => (
  <li key={id}>
    <div class="bar question">
      <Line value={title} />
      <span class="type regular">{typeName(type)}</span>
    </div>
    {text === '' ? (
      <p class="muted">The answer has no text.</p>
    ) : (
      <Passage value={text} label={`Answer to ${id}`} />
    )}
  </li>
)

/** A delivery of the response: to which endpoint it goes, and what became of it. */
const deliveryItem = ({ id, status, webhook_id: endpoint, attempts }: Delivery) => (
  <li key={id} class="bar">
    <Badge state={status} />
    <a href={link(['deliveries', id])}>
      <Line value={endpointText(endpoint)} />
    </a>
    <span class="muted nowrap">{count(attempts, 'attempt')}</span>
  </li>
)

interface ResponsePaneProps {
  readonly formId: string
  readonly id: string
  /** Reads the list again. */
  readonly refresh: () => Promise<void>
  readonly neighbours: Neighbours
}

/** One response, with its answers formatted, and as the API returns it. */
export function ResponsePane({ formId, id, refresh, neighbours }: ResponsePaneProps) {
  const path = `${formPath(formId)}/responses/${encodeURIComponent(id)}`
  const response = useResource(get<FormResponse>, path)
  const deliveries = useResource(get<Delivery[]>, `${path}/deliveries`)
  const close = link(['forms', formId, 'responses'], Object.fromEntries(route.value.query))
  const loaded = useItem(response)
  const isSubmitted = loaded?.status === 'submitted'
  useRefreshing(isSubmitted ? deliveries : undefined, deliveryPulse)
  const json = JSON.stringify(loaded, null, 2)
  const sent = deliveries.data.value
  /** The newest delivery to each endpoint. */
  const latest = (sent ?? [])
    .filter(({ webhook_id: id }, at, all) => all.findIndex((one) => one.webhook_id === id) === at)
    .reverse()
  const remove = async (): Promise<void> => {
    const sure = await confirmed({
      title: `Delete response #${id}?`,
      text: 'Its answers and uploaded files are deleted too, and its pending deliveries are cancelled. This cannot be undone.',
      action: 'Delete response',
    })
    if (!sure) return
    const done = await act(() => call('DELETE', path).then(() => true), `Response #${id} deleted`)
    // It may have failed because another program deleted the response.
    if (!done) return response.refresh()
    go(close)
    void refresh()
    // The head of the form counts its responses.
    void forms.refresh()
  }
  return (
    <Pane
      title={`Response #${id}`}
      state={loaded ? <Badge state={loaded.status} /> : null}
      actions={
        loaded ? (
          <>
            {isSubmitted ? <ReplayButton of={latest} /> : null}
            <MenuButton
              label={`Actions of response #${id}`}
              class="button icon-only"
              items={() => [
                { text: 'Delete response', icon: 'delete', isDanger: true, run: () => void remove() },
              ]}
            />
          </>
        ) : null
      }
      close={close}
      closeLabel="Close the response"
      neighbours={neighbours}
    >
      {loaded ? (
        <>
          <Facts
            of={[
              ['Started', <Time at={loaded.started_at} />],
              [isSubmitted ? 'Submitted' : 'Saved', loaded.submitted_at && <Time at={loaded.submitted_at} />],
              ['Email', loaded.email && <Line value={loaded.email} />],
              ['Score', loaded.score === null ? null : `${loaded.score} of ${loaded.max_score ?? '–'}`],
            ]}
          />
          <h3>Answers</h3>
          {loaded.answers.length === 0 ? (
            <p class="muted">No answers.</p>
          ) : (
            <ol class="stack answers">{loaded.answers.map(answerItem)}</ol>
          )}
          {isSubmitted ? <h3>Deliveries</h3> : null}
          {!isSubmitted ? null : sent === undefined ? (
            <p class="muted" role="status">
              {deliveries.error.value ?? 'Loading the deliveries…'}
            </p>
          ) : sent.length === 0 ? (
            <p class="muted">
              None. No endpoint was active when the response was submitted, or the delivery log has since been
              removed.
            </p>
          ) : (
            <ul class="stack response-deliveries">{sent.map(deliveryItem)}</ul>
          )}
          <Section name="JSON" tools={<Copy text={json} what="the response as JSON" isIcon />}>
            {() => <Json value={loaded} label="Response as JSON" />}
          </Section>
        </>
      ) : (
        <NotLoaded
          of={response}
          what="the response"
          gone="This response no longer exists: it was deleted, or the server was reset."
        />
      )}
    </Pane>
  )
}
