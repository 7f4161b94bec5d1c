import { useEffect } from 'preact/hooks'
import { count, withoutScheme } from '../format.ts'
import { link, route } from '../router.ts'
import { formById, forms } from '../state/catalog.ts'
import { deliveryPulse } from '../state/deliveries.ts'
import { Copy } from '../ui/copy.tsx'
import { Empty, NotLoaded, Stale, useRefreshing } from '../ui/loading.tsx'
import { Badge, Code, Line, Time } from '../ui/values.tsx'
import { hasEdits } from './builder/drafts.ts'
import { FormEditor } from './builder/form-editor.tsx'
import { EndpointTable } from './endpoints.tsx'
import { FormActions } from './form-actions.tsx'
import { Heading } from './heading.tsx'
import { ResponsesPanel } from './responses.tsx'
import { FormSummaryView } from './summary/form-summary.tsx'

const BACK = { href: link(['forms']), text: 'Forms' }

const TABS = ['Responses', 'Summary', 'Endpoints']

/** One form: its responses and drafts, its endpoints and its questions. */
export function FormView() {
  useRefreshing(forms, deliveryPulse)
  const [, id = '', tab = 'responses', item] = route.value.path
  const form = formById.value.get(id)
  useEffect(() => {
    document.querySelector('.tabs [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [])
  if (!form) {
    const isKnown = forms.data.value !== undefined
    return (
      <>
        <Heading title={isKnown ? 'Form not found' : 'Form'} back={BACK} />
        {isKnown ? (
          <Empty title="Form not found">
            No form with ID <code>{id.slice(0, 40)}</code>. It may have been removed by a reset.
          </Empty>
        ) : (
          <NotLoaded of={forms} what="the form" />
        )}
      </>
    )
  }
  if (tab === 'edit' || tab === 'questions') return <FormEditor form={form} />
  return (
    <>
      <Heading title={form.title} back={BACK} actions={<FormActions form={form} />} />
      <div class="row summary">
        <Badge state={form.trashed ? 'trashed' : form.status} />
        {form.unpublished_changes && !form.trashed ? <Badge state="unpublished" /> : null}
        {hasEdits(form) ? <Badge state="unsaved" /> : null}
        <span>
          {count(form.response_count, 'response')}
          {form.response_limit === null ? '' : ` of at most ${form.response_limit.toLocaleString('en')}`}
        </span>
        <span class="bar">
          <Code value={form.id} /> <Copy text={form.id} what="the form ID" isIcon />
        </span>
        <a href={form.url} target="_blank" rel="noopener noreferrer">
          <Line value={withoutScheme(form.url)} />
          <span class="off-screen"> (the public form, in a new tab)</span>
        </a>
        {(['opens', 'closes'] as const).map((what) => {
          const at = form[`${what}_at`]
          return at ? (
            <span key={what}>
              {what} <Time at={at} />
            </span>
          ) : null
        })}
        {form.published_title && form.published_title !== form.title ? (
          <span class="muted">
            published as “<Line value={form.published_title} />”
          </span>
        ) : null}
      </div>
      <nav class="tabs" aria-label="Form sections">
        {TABS.map((text) => {
          const name = text.toLowerCase()
          return (
            <a key={name} href={link(['forms', id, name])} aria-current={tab === name ? 'page' : undefined}>
              {text}
            </a>
          )
        })}
      </nav>
      {/* The table of endpoints has its own notice. */}
      {tab === 'endpoints' ? null : <Stale of={[forms]} />}
      {tab === 'endpoints' ? (
        <EndpointTable formId={id} />
      ) : tab === 'summary' ? (
        <FormSummaryView form={form} />
      ) : (
        <ResponsesPanel key={id} form={form} openId={item} />
      )}
    </>
  )
}
