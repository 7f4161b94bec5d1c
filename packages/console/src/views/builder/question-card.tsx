import type { KnownQuestionType } from '@formwire/contract'
import type { Choice } from '@formwire/contract/control'
import { Button, type IconName, Outline, Select } from '../../ui/controls.tsx'
import { Code } from '../../ui/values.tsx'
import { Choices } from './choices.tsx'
import type { Fault } from './fault.ts'
import { type EditedQuestion, partsOf, TYPES, typeName, withType, YES_NO } from './model.ts'
import type { Reorder } from './reorder.tsx'

const answersOf = (question: EditedQuestion | undefined): readonly Choice[] | undefined =>
  question?.type === 'yes_no' ? YES_NO : question?.options

interface ConditionProps {
  readonly question: EditedQuestion
  readonly earlier: readonly EditedQuestion[]
  readonly isInvalid: boolean
  readonly onChange: (question: EditedQuestion) => void
}

/** The condition of a question: an earlier question, and the answer at which this one is shown. */
function Condition({ question, earlier, isInvalid, onChange }: ConditionProps) {
  const { show_if: condition, ...rest } = question
  const controlling = earlier.find(({ id }) => id === condition?.question_id)
  const options = answersOf(controlling)
  const showIf = (equals: string | number, id = condition?.question_id ?? '') =>
    onChange({ ...rest, show_if: { question_id: id, equals } })
  const isNumber = controlling !== undefined && partsOf(controlling).bounds
  return (
    <div class="row">
      <Select
        class="check"
        label={`When to show question ${earlier.length + 1}`}
        text="Show"
        value={condition?.question_id ?? ''}
        any="always"
        options={earlier.map(({ id = '', title }) => [id, `if “${title.slice(0, 60)}” is`])}
        choose={(value) => {
          const chosen = earlier.find(({ id }) => id === value)
          if (!chosen) return onChange(rest)
          showIf(answersOf(chosen)?.[0]?.id ?? (partsOf(chosen).bounds ? 1 : ''), value)
        }}
      />
      {condition && options ? (
        <Select
          label="Show if the answer is"
          text=""
          value={String(condition.equals)}
          options={options.map(({ id, label }) => [id, label.slice(0, 60)])}
          choose={showIf}
        />
      ) : condition ? (
        <label class="check">
          <input
            type={isNumber ? 'number' : 'text'}
            aria-label="Show if the answer is"
            placeholder="answer"
            aria-invalid={isInvalid}
            value={String(condition.equals)}
            onInput={({ currentTarget: { value } }) => showIf(isNumber ? Number(value) : value)}
          />
        </label>
      ) : null}
    </div>
  )
}

interface QuestionCardProps {
  readonly questions: readonly EditedQuestion[]
  readonly index: number
  /** The question as last saved. */
  readonly saved: EditedQuestion | undefined
  readonly fault: Fault | undefined
  readonly isSelected: boolean
  readonly reorder: Reorder
  readonly onChange: (question: EditedQuestion) => void
  /** Called to insert a question below this one. */
  readonly onInsert: () => void
  readonly onRemove: () => void
  /** Called when a field or button of the card receives the focus, or the card is clicked. */
  readonly onSelect: () => void
}

/** One question of the builder. Only the selected one shows its settings. */
export function QuestionCard(props: QuestionCardProps) {
  const { questions, index, saved, fault, isSelected, reorder } = props
  const { onChange, onInsert, onRemove, onSelect } = props
  const question = questions[index] as EditedQuestion
  const parts = partsOf(question)
  const position = index + 1
  const choices = (part: 'options' | 'rows' | 'columns') => (
    <Choices
      name={part.slice(0, -1)}
      value={question[part] ?? []}
      saved={saved?.[part]}
      isInvalid={fault?.part === part}
      onChange={(changed) => onChange({ ...question, [part]: changed })}
      onLeave={onInsert}
    />
  )
  const flag = (part: 'required' | 'allow_other', label: string) => (
    <label class="check">
      <input
        type="checkbox"
        checked={question[part] ?? false}
        onChange={(event) => onChange({ ...question, [part]: event.currentTarget.checked })}
      />
      {label}
    </label>
  )
  const bound = (part: 'min' | 'max', label: string) => (
    <label key={part} class="check bound">
      {label}
      <input
        type="number"
        step="any"
        placeholder={parts.usualBounds?.[part]?.toString() ?? 'any'}
        aria-invalid={fault?.part === part}
        value={question[part] ?? ''}
        onInput={({ currentTarget: { value } }) => {
          const { [part]: _, ...unbounded } = question
          onChange(value === '' ? unbounded : { ...unbounded, [part]: Number(value) })
        }}
      />
    </label>
  )
  const command = (text: string, icon: IconName, run: () => void) => (
    <Button
      class="button plain icon-only"
      icon={icon}
      aria-label={text.replace('…', `question ${position}`)}
      title={text.replace(' …', '')}
      run={run}
    />
  )
  const onTitleKey = (event: KeyboardEvent & { currentTarget: HTMLInputElement }) => {
    const isNext = event.key === 'Enter' && !event.isComposing
    if (!isNext && !(event.key === '/' && question.title === '')) return reorder.onKeyDown(event, index)
    event.preventDefault()
    const option = event.currentTarget.closest('fieldset')?.querySelector<HTMLInputElement>('.options input')
    if (!isNext || !option) return onInsert()
    option.focus()
    option.select()
  }
  /** A card that opens while it is dragged would move the others. */
  const select = ({ target }: Event) => {
    if (!(target as Element).closest('.handle')) onSelect()
  }
  const state = `${isSelected ? 'is-selected' : ''} ${fault ? 'is-invalid' : ''}`
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the focus in one of its fields selects it, too.
    <li {...reorder.rowOf(index, `card question-card ${state}`)} onFocusIn={select} onClick={select}>
      <fieldset class="stack">
        <legend class="off-screen">Question {position}</legend>
        <div class="bar question-head">
          {reorder.handleOf(index, `Move question ${position}`)}
          <Outline path={TYPES[question.type as KnownQuestionType]?.[1]} />
          <input
            class="spring"
            aria-label={`Title of question ${position}`}
            value={question.title}
            placeholder="Question"
            aria-invalid={fault?.part === 'title'}
            onInput={(event) => onChange({ ...question, title: event.currentTarget.value })}
            onKeyDown={onTitleKey}
          />
          <span class="caption nowrap">
            {isSelected ? (
              <Code value={question.id ?? ''} />
            ) : (
              `${question.required ? 'Required · ' : ''}${typeName(question.type)}`
            )}
          </span>
        </div>
        {isSelected ? (
          <div class="stack question-settings">
            {parts.options ? choices('options') : null}
            {parts.grid ? (
              <div class="row">
                {choices('rows')}
                {choices('columns')}
              </div>
            ) : null}
            <div class="row">
              <Select
                class="check"
                label={`Type of question ${position}`}
                text=""
                value={question.type}
                options={Object.entries(TYPES).map(([type, [name]]) => [type, name])}
                choose={(type) => onChange(withType(question, type as KnownQuestionType))}
              />
              {flag('required', 'Required')}
              {parts.other ? flag('allow_other', 'Allow “Other”') : null}
              {parts.bounds ? [bound('min', 'From'), bound('max', 'To')] : null}
              {index > 0 ? (
                <Condition
                  question={question}
                  earlier={questions.slice(0, index)}
                  isInvalid={fault?.part === 'show_if'}
                  onChange={onChange}
                />
              ) : null}
              <span class="bar end">
                {command('Insert below …', 'plus', onInsert)}
                {command('Remove …', 'delete', onRemove)}
              </span>
            </div>
          </div>
        ) : null}
        {fault ? (
          <p class="field-error" role="alert">
            {fault.message}
          </p>
        ) : null}
      </fieldset>
    </li>
  )
}
