import type { KnownQuestionType } from '@formwire/contract'
import type { BuilderForm } from '@formwire/contract/control'
import { useEffect, useRef, useState } from 'preact/hooks'
import { CallError, call, formPath } from '../../api.ts'
import { go, link } from '../../router.ts'
import { forms } from '../../state/catalog.ts'
import { act, announce, dismissErrors } from '../../ui/announcer.tsx'
import { Button, Select, Switch } from '../../ui/controls.tsx'
import { confirmed } from '../../ui/dialog.tsx'
import { holdPage, releasePage } from '../../ui/unsaved.ts'
import { Badge } from '../../ui/values.tsx'
import { Heading } from '../heading.tsx'
import { AppearanceFields } from './appearance-fields.tsx'
import { contentOf, differs, draftOf, dropDraft, keepDraft } from './drafts.ts'
import { type Fault, faultOf, type Refusal } from './fault.ts'
import { JsonEditor } from './json-editor.tsx'
import { LivePreview, usePreview } from './live-preview.tsx'
import {
  copyOf,
  type EditedForm,
  type EditedQuestion,
  moved,
  newQuestion,
  replacedAt,
  TYPE_NAMES,
  withQuestion,
} from './model.ts'
import { isKnownType, QuestionCard } from './question-card.tsx'

/** Keys of the cards: a question keeps its inputs when others are added, moved or removed. */
let lastKey = 0
const keysOf = new WeakMap<EditedQuestion, number>()
function keyOf(question: EditedQuestion): number {
  const known = keysOf.get(question) ?? ++lastKey
  keysOf.set(question, known)
  return known
}

function AddQuestion({ onAdd }: { onAdd: (type: KnownQuestionType) => void }) {
  const [type, setType] = useState<KnownQuestionType>('short_text')
  return (
    <form
      class="row inline-form"
      onSubmit={(event) => {
        event.preventDefault()
        onAdd(type)
      }}
    >
      <Select
        label="Type of the new question"
        text=""
        value={type}
        options={Object.entries(TYPE_NAMES)}
        choose={(chosen) => setType(chosen as KnownQuestionType)}
      />
      <button type="submit" class="button primary">
        Add question
      </button>
    </form>
  )
}

function Questions({
  draft,
  saved,
  fault,
  shownFaults,
  change,
  onEdit,
}: {
  draft: EditedForm
  saved: EditedForm
  fault: Fault | undefined
  /** How often the fault was asked for: the card at fault is scrolled to each time. */
  shownFaults: number
  change: (questions: readonly EditedQuestion[]) => void
  /** Called with the position of the question that receives the focus. */
  onEdit: (index: number) => void
}) {
  const { questions } = draft
  const cards = useRef<HTMLOListElement>(null)
  const [added, setAdded] = useState(0)
  useEffect(() => {
    if (added === 0) return
    const title = cards.current?.querySelector<HTMLInputElement>(':scope > :last-child input')
    title?.focus()
    title?.select()
  }, [added])
  useEffect(() => {
    const invalid = cards.current?.querySelector<HTMLElement>('.is-invalid')
    const field = invalid?.querySelector<HTMLElement>('[aria-invalid="true"]')
    ;(field ?? invalid?.querySelector('input'))?.focus({ preventScroll: true })
    invalid?.scrollIntoView({ block: 'center' })
  }, [shownFaults])
  const latest = useRef(questions)
  latest.current = questions
  const remove = (index: number): void => {
    const removed = questions[index] as EditedQuestion
    change(replacedAt(questions, index, []))
    const next = cards.current?.children[index + 1] ?? cards.current?.children[index - 1]
    const field =
      next?.querySelector('input') ?? cards.current?.parentElement?.querySelector('.inline-form select')
    ;(field as HTMLElement | null | undefined)?.focus()
    announce(`Removed “${removed.title}”`, 'done', {
      text: 'Undo',
      run: () => change([...latest.current.slice(0, index), removed, ...latest.current.slice(index)]),
    })
  }
  return (
    <>
      <ol class="stack" ref={cards}>
        {questions.map((question, index) => (
          <QuestionCard
            key={keyOf(question)}
            question={question}
            saved={saved.questions.find(({ id }) => id === question.id)}
            position={index + 1}
            total={questions.length}
            earlier={questions.slice(0, index)}
            fault={fault?.at === index ? fault : undefined}
            onChange={(changed) => {
              const edited = withQuestion(questions, index, changed)
              for (const [at, one] of edited.entries()) keysOf.set(one, keyOf(questions[at] ?? one))
              change(edited)
            }}
            onMove={(by) => change(moved(questions, index, by))}
            onCopy={() => change(replacedAt(questions, index, [question, copyOf(question, questions)]))}
            onRemove={() => remove(index)}
            onFocus={() => onEdit(index)}
          />
        ))}
      </ol>
      {questions.length === 0 ? <p class="muted">No questions yet.</p> : null}
      <AddQuestion
        onAdd={(type) => {
          change([...questions, newQuestion(type, questions)])
          setAdded(added + 1)
        }}
      />
    </>
  )
}

/** The builder: the title and the questions of a form, as cards or as JSON, beside a preview. */
export function FormEditor({ form }: { form: BuilderForm }) {
  const [draft, setDraft] = useState(() => draftOf(form))
  const [view, setView] = useState<'cards' | 'json'>('cards')
  const [refusedSave, setRefusedSave] = useState<Refusal | undefined>(undefined)
  const [shownFaults, setShownFaults] = useState(0)
  const [edited, setEdited] = useState<number | undefined>(undefined)
  const [isSaving, setSaving] = useState(false)
  const preview = usePreview(draft)
  const isChanged = differs(draft, form)
  useEffect(() => {
    if (!isChanged) return
    const held = {}
    holdPage(held)
    return () => releasePage(held)
  }, [isChanged])

  const change = (changes: Partial<EditedForm>) => {
    const next = { ...draft, ...changes }
    setDraft(next)
    setRefusedSave(undefined)
    keepDraft(form.id, next)
  }
  const save = async (isPublished: boolean): Promise<void> => {
    dismissErrors()
    setSaving(true)
    try {
      const path = formPath(form.id)
      const saved = await call<BuilderForm>('PATCH', path, draft)
      dropDraft(form.id)
      setDraft(contentOf(saved))
      if (isPublished) await act(() => call('POST', `${path}/publish`), 'Saved and published')
      else announce(saved.unpublished_changes ? 'Saved. Publish the form to make the changes live.' : 'Saved')
      await forms.refresh()
      if (isPublished) go(link(['forms', form.id]))
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      setRefusedSave(cause)
      setShownFaults((times) => times + 1)
      const { at } = faultOf(cause, draft.questions)
      if (at !== undefined) announce(`Not saved: question ${at + 1} has an error.`, 'error')
    } finally {
      setSaving(false)
    }
  }
  const discard = async (): Promise<void> => {
    const sure = await confirmed({
      title: 'Discard the changes?',
      text: 'The form reverts to its last saved version.',
      action: 'Discard changes',
    })
    if (!sure) return
    dropDraft(form.id)
    setDraft(contentOf(form))
    setView('cards')
  }
  const refusal = refusedSave ?? preview.refusal
  const fault = refusal && faultOf(refusal, draft.questions)
  const general = fault?.at === undefined || view === 'json' ? refusal?.message : undefined
  // What JSON can hold, and cards cannot show.
  const canShowCards = draft.questions.every(
    ({ type, title }) => isKnownType(type) && typeof title === 'string',
  )
  return (
    <>
      <Heading
        title={`Edit ${form.title}`}
        back={{ href: link(['forms', form.id]), text: 'Back to the form' }}
        aside={
          isChanged ? (
            <span class="muted">Unsaved changes</span>
          ) : form.unpublished_changes ? (
            <Badge state="unpublished" />
          ) : null
        }
        actions={
          <>
            <Button isOff={!isChanged} run={() => discard()}>
              Discard
            </Button>
            <Button isOff={!isChanged || isSaving} run={() => save(false)}>
              Save
            </Button>
            <Button isOff={isSaving} class="button primary" run={() => save(true)}>
              Save and publish
            </Button>
          </>
        }
      />
      <div class="editor">
        <div class="editor-fields scroll">
          {general === undefined ? null : (
            <p class="note error" role="alert">
              {general}
            </p>
          )}
          <label class="field">
            Title
            <input
              value={draft.title}
              maxLength={400}
              onInput={(event) => change({ title: event.currentTarget.value })}
            />
          </label>
          <AppearanceFields appearance={draft} onChange={change} />
          <Switch
            legend="Edit the questions as"
            value={view}
            options={[
              { value: 'cards', text: 'Builder', isOff: !canShowCards },
              { value: 'json', text: 'JSON' },
            ]}
            choose={setView}
          />
          {view === 'json' ? (
            <JsonEditor questions={draft.questions} onChange={(questions) => change({ questions })} />
          ) : (
            <Questions
              draft={draft}
              saved={form}
              fault={fault}
              shownFaults={shownFaults}
              change={(questions) => change({ questions })}
              onEdit={setEdited}
            />
          )}
        </div>
        <LivePreview
          preview={preview}
          faulty={preview.refusal && faultOf(preview.refusal, draft.questions).at}
          edited={view === 'cards' ? edited : undefined}
          isConditional={draft.questions.some((question) => question.show_if !== undefined)}
        />
      </div>
    </>
  )
}
