import type { FormPreview } from '@formwire/contract/control'
import { useEffect, useRef, useState } from 'preact/hooks'
import { appUrl, CallError, call } from '../../api.ts'
import { contentOf } from './drafts.ts'
import { faultOf, type Refusal } from './fault.ts'
import type { EditedForm, EditedQuestion } from './model.ts'

/** Pause in typing after which the preview is renewed. */
const PAUSE_MS = 400

export interface Preview {
  /** URL of the page, of the latest edits that were valid. */
  readonly url: string | undefined
  readonly refusal: Refusal | undefined
}

const NONE: Preview = { url: undefined, refusal: undefined }

/** Asks the server for a page of the edits, a moment after they change. The server is the one that validates them. */
export function usePreview(form: EditedForm): Preview {
  const [preview, setPreview] = useState(NONE)
  const body = JSON.stringify(contentOf(form))
  useEffect(() => {
    let isCurrent = true
    const timer = setTimeout(
      async () => {
        try {
          const { path } = await call<FormPreview>('POST', 'previews', JSON.parse(body))
          if (isCurrent) setPreview({ url: appUrl(path), refusal: undefined })
        } catch (cause) {
          if (!(cause instanceof CallError)) throw cause
          if (isCurrent) setPreview(({ url }) => ({ url, refusal: cause }))
        }
      },
      preview === NONE ? 0 : PAUSE_MS,
    )
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [body])
  return preview
}

/** Distance of a question that is scrolled to from the top of the preview. */
const MARGIN_PX = 24

/** Scrolls the preview to a question, unless all of it is visible. */
function showQuestion(page: Window | null | undefined, index: number): void {
  const question = page?.document.querySelectorAll('[data-question]')[index]
  if (!page || !question) return
  const { top, bottom } = question.getBoundingClientRect()
  if (top < 0 || bottom > page.innerHeight) page.scrollBy(0, top - MARGIN_PX)
}

interface LivePreviewProps {
  readonly preview: Preview
  readonly questions: readonly EditedQuestion[]
  /** Position of the question that is edited. */
  readonly edited: number | undefined
}

/** The page as respondents would see it. It runs no scripts and sends nothing. */
export function LivePreview({ preview: { url, refusal }, questions, edited }: LivePreviewProps) {
  const faulty = refusal && faultOf(refusal, questions).at
  const frames = useRef<HTMLDivElement>(null)
  /** URL of the page that is shown: the latest one that has loaded. */
  const [shown, setShown] = useState<string | undefined>(undefined)
  const pageOf = (of: string | undefined) =>
    [...(frames.current?.querySelectorAll('iframe') ?? [])].find(({ name }) => name === of)?.contentWindow
  useEffect(() => {
    if (edited !== undefined) showQuestion(pageOf(shown), edited)
  }, [edited, shown])
  return (
    <section class="preview" aria-labelledby="preview-title">
      <header class="row between">
        <h2 id="preview-title">Preview</h2>
        {url ? (
          <a href={url} target="_blank" rel="noopener">
            Open in a new tab
          </a>
        ) : null}
      </header>
      {refusal ? (
        <p class="note" role="status">
          {url
            ? `Fix ${faulty === undefined ? 'the form' : `question ${faulty + 1}`} to update.`
            : 'The preview appears once the form is valid.'}
        </p>
      ) : null}
      {questions.some((question) => question.show_if !== undefined) ? (
        <p class="muted">Questions with a condition are always shown here.</p>
      ) : null}
      <div class="box frames" ref={frames}>
        {/* A new frame each time: navigating an old one would add to the history of the page. The old one stays until then. */}
        {[...new Set([shown, url])].map((one) =>
          one === undefined ? null : (
            <iframe
              key={one}
              name={one}
              class={one === shown ? '' : 'is-loading'}
              src={`${one}?static`}
              title="Preview of the form"
              sandbox="allow-same-origin"
              onLoad={({ currentTarget: { contentWindow: page } }) => {
                if (one !== url) return
                // The new page shows the same part of the form.
                page?.scrollTo(0, pageOf(shown)?.scrollY ?? 0)
                setShown(url)
              }}
            />
          ),
        )}
        {shown === undefined && !refusal ? (
          <p class="muted loading" role="status">
            Loading the preview…
          </p>
        ) : null}
      </div>
    </section>
  )
}
