import type { FormResponse } from '@formwire/contract'
import type { Delivery } from '@formwire/contract/control'
import { useState } from 'preact/hooks'
import { call, formPath, get } from '../api.ts'
import { count } from '../format.ts'
import { go, link, route } from '../router.ts'
import { endpointText, forms } from '../state/catalog.ts'
import { deliveryPulse } from '../state/deliveries.ts'
import { type Resource, useResource } from '../state/resource.ts'
import type { ResponsePages } from '../state/response-pages.ts'
import { act } from '../ui/announcer.tsx'
import { Button, Icon, Switch } from '../ui/controls.tsx'
import { Copy, copyAndAnnounce } from '../ui/copy.tsx'
import { confirmed } from '../ui/dialog.tsx'
import { NotLoaded, useItem, useRefreshing } from '../ui/loading.tsx'
import { MenuButton } from '../ui/menu.tsx'
import { type Neighbours, Pane } from '../ui/pane.tsx'
import { Badge, Facts, Json, Line, Passage, Time } from '../ui/values.tsx'
import { typeName } from './builder/model.ts'
import { askReplay, isPaused } from './log/bulk-actions.tsx'
import { planReplayOfAll } from './log/bulk-plan.ts'

async function remove(
  formId: string,
  id: number,
  close: string,
  pages: ResponsePages,
  response: Resource<FormResponse>,
): Promise<void> {
  const sure = await confirmed({
    title: `Delete response #${id}?`,
    text: 'Its answers and uploaded files are deleted too, and its pending deliveries are cancelled. This cannot be undone.',
    action: 'Delete response',
  })
  if (!sure) return
  const done = await act(
    () => call('DELETE', `${formPath(formId)}/responses/${id}`).then(() => true),
    `Response #${id} deleted`,
  )
  if (!done) {
    // It may have failed because another program deleted the response.
    void response.refresh()
    return
  }
  go(close)
  pages.restart()
  // The head of the form counts its responses.
  void forms.refresh()
}

function Answers({ response }: { response: FormResponse }) {
  if (response.answers.length === 0) return <p class="muted">No answers.</p>
  return (
    <ol class="stack answers">
      {response.answers.map((answer) => (
        <li key={answer.question_id}>
          <div class="bar question">
            <Line value={answer.title} />
            <span class="type regular">{typeName(answer.type)}</span>
          </div>
          {answer.text === '' ? (
            <p class="muted">The answer has no text.</p>
          ) : (
            <Passage value={answer.text} label={`Answer to ${answer.question_id}`} />
          )}
        </li>
      ))}
    </ol>
  )
}

const VIEWS = [
  { value: 'text', text: 'Formatted' },
  { value: 'json', text: 'JSON' },
] as const

/** One response, with its answers formatted, or as the API returns it. */
export function ResponsePane({
  formId,
  id,
  tab,
  pages,
  neighbours,
}: {
  formId: string
  id: string
  tab: string
  pages: ResponsePages
  neighbours: Neighbours
}) {
  const [view, setView] = useState<'text' | 'json'>('text')
  const isJson = view === 'json'
  const path = `${formPath(formId)}/responses/${encodeURIComponent(id)}`
  const response = useResource(get<FormResponse>, path)
  const deliveries = useResource(get<Delivery[]>, `${path}/deliveries`)
  const close = link(['forms', formId, tab], Object.fromEntries(route.value.query))
  const loaded = useItem(response)
  useRefreshing(loaded?.status === 'submitted' ? deliveries : undefined, deliveryPulse)
  const json = JSON.stringify(loaded, null, 2)
  const plan = planReplayOfAll(deliveries.data.value ?? [], isPaused)
  return (
    <Pane
      title={`Response #${id}`}
      state={loaded ? <Badge state={loaded.status} /> : null}
      actions={
        loaded ? (
          <>
            {loaded.status === 'submitted' ? (
              <Button
                isOff={plan.send.length === 0}
                title={plan.leftOut && `Can’t be replayed: ${plan.leftOut}`}
                run={() => askReplay(plan, '')}
              >
                <Icon name="replay" />
                Replay
              </Button>
            ) : null}
            <MenuButton
              label={`Actions of response #${id}`}
              class="button icon-only"
              items={() => [
                {
                  text: 'Copy as JSON',
                  icon: 'copy',
                  run: () => void copyAndAnnounce(json, 'the response as JSON'),
                },
                {
                  text: 'Delete response',
                  icon: 'delete',
                  isDanger: true,
                  run: () => void remove(formId, loaded.id, close, pages, response),
                },
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
              [
                loaded.status === 'submitted' ? 'Submitted' : 'Saved',
                loaded.submitted_at && <Time at={loaded.submitted_at} />,
              ],
              ['Email', loaded.email && <Line value={loaded.email} />],
              ['Score', loaded.score === null ? null : `${loaded.score} of ${loaded.max_score ?? '–'}`],
            ]}
          />
          <div class="row between">
            <h3>Answers</h3>
            <span class="bar">
              <Switch legend="Show answers" value={view} options={VIEWS} choose={setView} />
              <Copy text={json} what="the response as JSON" />
            </span>
          </div>
          {isJson ? <Json value={loaded} label="Response as JSON" /> : <Answers response={loaded} />}
          {loaded.status === 'submitted' ? <ResponseDeliveries deliveries={deliveries} /> : null}
          {isJson ? null : (
            <>
              <h3>Meta</h3>
              <Json value={loaded.meta} label="Meta" />
            </>
          )}
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

/** The deliveries of a response: to which endpoint each goes, and what became of it. */
function ResponseDeliveries({ deliveries }: { deliveries: Resource<Delivery[]> }) {
  const loaded = deliveries.data.value
  return (
    <>
      <h3>Deliveries</h3>
      {loaded === undefined ? (
        <p class="muted" role="status">
          {deliveries.error.value ?? 'Loading the deliveries…'}
        </p>
      ) : loaded.length === 0 ? (
        <p class="muted">
          None. No endpoint was active when the response was submitted, or the delivery log has since been
          removed.
        </p>
      ) : (
        <ul class="stack response-deliveries">
          {loaded.map((delivery) => (
            <li key={delivery.id} class="bar">
              <Badge state={delivery.status} />
              <a href={link(['deliveries', delivery.id])}>
                <Line value={endpointText(delivery.webhook_id)} />
              </a>
              <span class="muted nowrap">{count(delivery.attempts, 'attempt')}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
