import type { BuilderForm } from '@formwire/contract/control'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { CallError, call, formPath } from '../../api.ts'
import { quoted } from '../../format.ts'
import { go, link } from '../../router.ts'
import { forms } from '../../state/catalog.ts'
import { act, announce, dismissErrors } from '../../ui/announcer.tsx'
import { Button, Field } from '../../ui/controls.tsx'
import { confirmed, holdPage, releasePage } from '../../ui/dialog.tsx'
import { isSuspended } from '../../ui/shortcuts.ts'
import { Badge } from '../../ui/values.tsx'
import { Heading } from '../heading.tsx'
import { changesOf, contentOf, type Draft, draftOf, isEdited, keepDraft } from './drafts.ts'
import { type Fault, faultOf, type Refusal } from './fault.ts'
import { announcePublished, mayPublish } from './form-commands.tsx'
import { LivePreview, usePreview } from './live-preview.tsx'
import {
  type EditedForm,
  type EditedQuestion,
  moved,
  newQuestion,
  replacedAt,
  withQuestion,
} from './model.ts'
import { QuestionCard } from './question-card.tsx'
import { useReorder } from './reorder.tsx'
import { saveEdits } from './save-edits.ts'
import { TypePicker } from './type-picker.tsx'

interface QuestionsProps {
  readonly questions: readonly EditedQuestion[]
  readonly saved: readonly EditedQuestion[]
  readonly fault: Fault | undefined
  /** How often the fault was asked for: the card at fault is scrolled to each time. */
  readonly shownFaults: number
  readonly selected: number | undefined
  readonly change: (questions: readonly EditedQuestion[]) => void
  readonly onSelect: (index: number) => void
}

function Questions({ questions, saved, fault, shownFaults, selected, change, onSelect }: QuestionsProps) {
  const list = useRef<HTMLOListElement>(null)
  const card = (index: number) => list.current?.querySelectorAll<HTMLElement>('.question-card')[index]
  /** Where the picker is. It is at the end unless it was asked for at another place. */
  const [place, setPlace] = useState<number | undefined>(undefined)
  const [asked, setAsked] = useState(0)
  const ask = (at: number) => {
    setPlace(at < questions.length ? at : undefined)
    setAsked((times) => times + 1)
  }
  /** Position of the question whose title gets the focus. */
  const focused = useRef<number | undefined>(undefined)
  useLayoutEffect(() => {
    if (focused.current === undefined) return
    const added = card(focused.current)
    focused.current = undefined
    for (const part of [list.current?.lastElementChild, added]) part?.scrollIntoView({ block: 'nearest' })
    const title = added?.querySelector<HTMLInputElement>('.question-head input')
    title?.focus()
    title?.select()
  })
  useLayoutEffect(() => {
    const invalid = list.current?.querySelector<HTMLElement>('.is-invalid')
    const field = invalid?.querySelector<HTMLElement>('[aria-invalid="true"]')
    ;(field ?? invalid?.querySelector('input'))?.focus({ preventScroll: true })
    invalid?.scrollIntoView({ block: 'center' })
  }, [shownFaults])
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '/' || isSuspended(event)) return
      // Instead of the search box, which other views have.
      event.preventDefault()
      ask(selected === undefined ? questions.length : selected + 1)
    }
    addEventListener('keydown', onKey, true)
    return () => removeEventListener('keydown', onKey, true)
  })
  const latest = useRef(questions)
  latest.current = questions
  const insert = (at: number, question: EditedQuestion) => {
    setPlace(undefined)
    change([...latest.current.slice(0, at), question, ...latest.current.slice(at)])
    onSelect(at)
    focused.current = at
  }
  const remove = (index: number): void => {
    const removed = questions[index] as EditedQuestion
    change(replacedAt(questions, index, []))
    const next = card(index + 1) ?? card(index - 1) ?? list.current?.lastElementChild
    next?.querySelector('input')?.focus()
    onSelect(Math.min(index, questions.length - 2))
    announce(`Removed ${quoted(removed.title)}`, 'done', { text: 'Undo', run: () => insert(index, removed) })
  }
  const reorder = useReorder(list, (from, to) => {
    change(moved(questions, from, to))
    onSelect(to)
    announce(`Moved “${questions[from]?.title}” to place ${to + 1} of ${questions.length}`, 'quiet')
  })
  const cards = questions.map((question, index) => (
    <QuestionCard
      key={question.id}
      questions={questions}
      index={index}
      saved={saved.find(({ id }) => id === question.id)}
      fault={fault?.at === index ? fault : undefined}
      isSelected={index === selected}
      reorder={reorder}
      onChange={(changed) => change(withQuestion(questions, index, changed))}
      onInsert={() => ask(index + 1)}
      onRemove={() => remove(index)}
      onSelect={() => onSelect(index)}
    />
  ))
  const at = place ?? questions.length
  const picker = (
    <TypePicker
      key="picker"
      label={place === undefined ? 'Add a question' : `Insert a question below question ${at}`}
      asked={asked}
      onPick={(type) => insert(at, newQuestion(type, questions))}
      onLeave={() => {
        setPlace(undefined)
        focused.current = Math.max(0, at - 1)
      }}
    />
  )
  return (
    <ol class="stack" ref={list}>
      {[...cards.slice(0, at), picker, ...cards.slice(at)]}
    </ol>
  )
}

/** The builder: the title, the language and the questions of a form, beside a preview. */
export function FormEditor({ form }: { form: BuilderForm }) {
  const [draft, setDraft] = useState(() => draftOf(form))
  /** The draft of the latest edit, also while a save is in flight. */
  const latest = useRef(draft)
  const put = (next: Draft): void => {
    latest.current = next
    setDraft(next)
    keepDraft(next)
  }
  useLayoutEffect(() => {
    if (!isEdited(latest.current)) put(draftOf(form))
  }, [form])
  const [refusedSave, setRefusedSave] = useState<Refusal | undefined>(undefined)
  const [shownFaults, setShownFaults] = useState(0)
  const [selected, setSelected] = useState<number | undefined>(undefined)
  const [isSaving, setSaving] = useState(false)
  const { base, edited } = draft
  const preview = usePreview(edited)
  const isChanged = isEdited(draft)
  useLayoutEffect(() => {
    if (!isChanged) return
    const held = {}
    holdPage(held)
    return () => releasePage(held)
  }, [isChanged])
  const change = (changes: Partial<EditedForm>) => {
    put({ base, edited: { ...edited, ...changes } })
    setRefusedSave(undefined)
  }
  const save = async (isPublished: boolean): Promise<void> => {
    if (isPublished && !(await mayPublish(edited))) return
    dismissErrors()
    setSaving(true)
    try {
      const saved = await saveEdits(draft)
      if (!saved) return
      // What was typed while the save was in flight stays.
      const typed = changesOf(draft.edited, latest.current.edited)
      put({ base: saved, edited: { ...contentOf(saved), ...typed } })
      if (!isPublished) {
        const hint = saved.unpublished_changes ? '. Publish the form to make the changes live.' : ''
        announce(`Saved ${quoted(saved.title)}${hint}`)
      }
      const isLive = isPublished && (await act(() => call('POST', `${formPath(form.id)}/publish`)))
      await forms.refresh()
      if (!isLive) return
      go(link(['forms', form.id]))
      announcePublished(saved)
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      setRefusedSave(cause)
      setShownFaults((times) => times + 1)
      const { at } = faultOf(cause, latest.current.edited.questions)
      setSelected(at)
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
    put({ base, edited: contentOf(base) })
    await forms.refresh()
  }
  const refusal = refusedSave ?? preview.refusal
  const fault = refusal && faultOf(refusal, edited.questions)
  const general = fault?.at === undefined ? refusal?.message : undefined
  return (
    <>
      <Heading
        title={`Edit ${form.title}`}
        back={{ href: link(['forms', form.id]), text: 'Back to the form' }}
        aside={
          (isChanged || form.unpublished_changes) && <Badge state={isChanged ? 'unsaved' : 'unpublished'} />
        }
        actions={
          <>
            <Button isOff={!isChanged} run={discard}>
              Discard
            </Button>
            <Button isOff={!isChanged || isSaving} aria-keyshortcuts="Control+S" run={() => save(false)}>
              Save
            </Button>
            <Button
              isOff={isSaving}
              class="button primary"
              aria-keyshortcuts="Control+Enter"
              run={() => save(true)}
            >
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
          <Field
            label="Title"
            value={edited.title}
            maxLength={400}
            onInput={(event) => change({ title: event.currentTarget.value })}
          />
          <Field
            label="Language (for example, pt-BR)"
            value={edited.language ?? ''}
            spellcheck={false}
            onInput={({ currentTarget: { value } }) => change({ language: value.trim() || null })}
          />
          <Questions
            questions={edited.questions}
            saved={base.questions}
            fault={fault}
            shownFaults={shownFaults}
            selected={selected}
            change={(questions) => change({ questions })}
            onSelect={setSelected}
          />
        </div>
        <LivePreview preview={preview} questions={edited.questions} edited={selected} />
      </div>
    </>
  )
}
