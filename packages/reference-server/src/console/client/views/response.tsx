/** @jsxImportSource preact */
import { useMemo, useState } from 'preact/hooks'
import { call } from '../api.ts'
import { go, link, route } from '../router.ts'
import { type Resource, resource } from '../state/resource.ts'
import { deleteResponse, type ResponsePages } from '../state/response-pages.ts'
import type { AppResponse } from '../types.ts'
import { act } from '../ui/act.ts'
import { Badge } from '../ui/badge.tsx'
import { confirmed } from '../ui/dialog.tsx'
import { Failed, Loading } from '../ui/empty.tsx'
import { Json } from '../ui/json.tsx'
import { Pane } from '../ui/pane.tsx'
import { useRefreshing } from '../ui/refreshing.ts'
import { Line, Passage } from '../ui/text.tsx'
import { Time } from '../ui/time.tsx'

async function remove(
  formId: string,
  id: number,
  close: string,
  pages: ResponsePages,
  response: Resource<AppResponse>,
): Promise<void> {
  const sure = await confirmed({
    title: `Delete response #${id}?`,
    text: 'Its answers and uploaded files go with it, and its waiting deliveries are cancelled. It cannot be undone.',
    action: 'Delete the response',
  })
  if (!sure) return
  const done = await act(() => deleteResponse(formId, id).then(() => true), `Deleted response #${id}`)
  if (!done) {
    // Refused: it may be because somebody else deleted it.
    void response.refresh()
    return
  }
  go(close)
  pages.restart()
}

function Answers({ response, asWire }: { response: AppResponse; asWire: boolean }) {
  if (response.answers.length === 0) return <p class="muted">No question was answered.</p>
  return (
    <ol class="answers">
      {response.answers.map((answer) => (
        <li key={answer.question_id}>
          <div class="question">
            <Line value={answer.title} />
            <span class="type">{answer.type}</span>
          </div>
          {asWire ? (
            <Json value={answer.value} label={`Value of ${answer.question_id}`} />
          ) : answer.text === '' ? (
            <p class="muted">Answered with nothing to read.</p>
          ) : (
            <Passage value={answer.text} label={`Answer to ${answer.question_id}`} />
          )}
        </li>
      ))}
    </ol>
  )
}

/** One response: its answers as text or as the wire carries them. */
export function ResponsePane({
  formId,
  id,
  tab,
  pages,
}: {
  formId: string
  id: string
  tab: string
  pages: ResponsePages
}) {
  const [asWire, setAsWire] = useState(false)
  const response = useMemo(
    () =>
      resource(() =>
        call<AppResponse>('GET', `forms/${encodeURIComponent(formId)}/responses/${encodeURIComponent(id)}`),
      ),
    [formId, id],
  )
  const close = link(['forms', formId, tab], Object.fromEntries(route.value.query))
  // One that is no longer there (deleted by another program, a reset) is not shown as if it were.
  const isGone = response.status.value === 404
  useRefreshing(isGone ? undefined : response)
  const loaded = isGone ? undefined : response.data.value
  return (
    <Pane
      title={`Response #${id}`}
      state={loaded ? <Badge state={loaded.status} /> : null}
      actions={
        loaded ? (
          <button
            type="button"
            class="button danger"
            onClick={() => void remove(formId, loaded.id, close, pages, response)}
          >
            Delete
          </button>
        ) : null
      }
      close={close}
      closeLabel="Close the response"
    >
      {loaded ? (
        <>
          <dl class="facts">
            <dt>Started</dt>
            <dd>
              <Time at={loaded.started_at} />
            </dd>
            {loaded.submitted_at ? (
              <>
                <dt>{loaded.status === 'submitted' ? 'Submitted' : 'Saved'}</dt>
                <dd>
                  <Time at={loaded.submitted_at} />
                </dd>
              </>
            ) : null}
            {loaded.email ? (
              <>
                <dt>Email</dt>
                <dd>
                  <Line value={loaded.email} />
                </dd>
              </>
            ) : null}
            {loaded.score === null ? null : (
              <>
                <dt>Score</dt>
                <dd>
                  {loaded.score} of {loaded.max_score ?? '–'}
                </dd>
              </>
            )}
          </dl>
          <div class="heading-row">
            <h3>Answers</h3>
            <fieldset class="switch">
              <legend class="off-screen">Show answers</legend>
              <button type="button" aria-pressed={!asWire} onClick={() => setAsWire(false)}>
                As text
              </button>
              <button type="button" aria-pressed={asWire} onClick={() => setAsWire(true)}>
                As wire value
              </button>
            </fieldset>
          </div>
          <Answers response={loaded} asWire={asWire} />
          <h3>Meta</h3>
          <Json value={loaded.meta} label="Meta" />
        </>
      ) : isGone ? (
        <p class="note" role="status">
          This response is no longer there: it was deleted, or the server was reset.
        </p>
      ) : response.error.value ? (
        <Failed message={response.error.value} onRetry={() => void response.refresh()} />
      ) : (
        <Loading what="the response" />
      )}
    </Pane>
  )
}
