import { type KnownQuestionType, QUESTION_TYPES } from '@formwire/contract'
import type { Choice } from '@formwire/contract/control'
import { Button, Select } from '../../ui/controls.tsx'
import type { Fault } from './fault.ts'
import { choicesOf, type EditedQuestion, partsOf, TYPE_NAMES, withType } from './model.ts'

/** Labels, one per line. An empty line is ignored. */
function Choices({
  label,
  value,
  saved,
  isInvalid,
  onChange,
}: {
  label: string
  value: readonly Choice[]
  saved: readonly Choice[] | undefined
  isInvalid: boolean
  onChange: (choices: Choice[]) => void
}) {
  // Valid, but respondents and summaries could not tell them apart.
  const twice = value.find(({ label: one }, index) => value.findIndex((other) => other.label === one) < index)
  return (
    <>
      <label class="field">
        {label}, one per line
        <textarea
          aria-invalid={isInvalid}
          rows={Math.min(8, Math.max(3, value.length + 1))}
          defaultValue={value.map((choice) => choice.label).join('\n')}
          onInput={(event) => {
            const labels = event.currentTarget.value.split('\n').map((line) => line.trim())
            onChange(choicesOf(labels.filter(Boolean), value, saved))
          }}
        />
      </label>
      {twice === undefined ? null : (
        <p class="muted full" role="status">
          “{twice.label.slice(0, 60)}” is listed twice.
        </p>
      )}
    </>
  )
}

/** The condition of a question: an earlier question, and the answer at which this one is shown. */
function Condition({
  question,
  earlier,
  isInvalid,
  onChange,
}: {
  question: EditedQuestion
  earlier: readonly EditedQuestion[]
  isInvalid: boolean
  onChange: (question: EditedQuestion) => void
}) {
  const { show_if: condition, ...rest } = question
  const controlling = earlier.find(({ id }) => id === condition?.question_id)
  const options =
    controlling?.type === 'yes_no'
      ? [
          { id: 'yes', label: 'Yes' },
          { id: 'no', label: 'No' },
        ]
      : controlling?.options
  const isNumber = controlling !== undefined && partsOf(controlling).bounds
  return (
    <div class="row condition-row">
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
          const first = chosen.type === 'yes_no' ? 'yes' : chosen.options?.[0]?.id
          const equals = first ?? (partsOf(chosen).bounds ? 1 : '')
          onChange({ ...rest, show_if: { question_id: value, equals } })
        }}
      />
      {condition && options ? (
        <Select
          label="Show if the answer is"
          text=""
          value={String(condition.equals)}
          options={options.map(({ id, label }) => [id, label.slice(0, 60)])}
          choose={(equals) => onChange({ ...rest, show_if: { ...condition, equals } })}
        />
      ) : condition ? (
        <label class="check">
          <input
            type={isNumber ? 'number' : 'text'}
            aria-label="Show if the answer is"
            placeholder="answer"
            aria-invalid={isInvalid}
            value={String(condition.equals)}
            onInput={({ currentTarget: { value } }) =>
              onChange({ ...rest, show_if: { ...condition, equals: isNumber ? Number(value) : value } })
            }
          />
        </label>
      ) : null}
    </div>
  )
}

/** One question of the builder. */
export function QuestionCard({
  question,
  saved,
  position,
  total,
  earlier,
  fault,
  onChange,
  onMove,
  onCopy,
  onRemove,
  onFocus,
}: {
  question: EditedQuestion
  /** The question as last saved. */
  saved: EditedQuestion | undefined
  /** From 1. */
  position: number
  total: number
  /** The questions before it. */
  earlier: readonly EditedQuestion[]
  /** What is wrong with this question. */
  fault: Fault | undefined
  onChange: (question: EditedQuestion) => void
  onMove: (by: -1 | 1) => void
  onCopy: () => void
  onRemove: () => void
  /** Called when a field or button of the card receives the focus. */
  onFocus: () => void
}) {
  const parts = partsOf(question)
  const choices = (part: 'options' | 'rows' | 'columns', label: string) => (
    <Choices
      label={label}
      value={question[part] ?? []}
      saved={saved?.[part]}
      isInvalid={fault?.part === part}
      onChange={(changed) => onChange({ ...question, [part]: changed })}
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
  return (
    <li class={`card question-card ${fault ? 'is-invalid' : ''}`} onFocusIn={onFocus}>
      <fieldset class="stack">
        <legend class="off-screen">Question {position}</legend>
        <div class="row question-row">
          <span class="muted" aria-hidden="true">
            {position}
          </span>
          <label class="field grow">
            <input
              aria-label={`Title of question ${position}`}
              value={question.title}
              placeholder="Question"
              aria-invalid={fault?.part === 'title'}
              onInput={(event) => onChange({ ...question, title: event.currentTarget.value })}
            />
          </label>
          <Select
            label={`Type of question ${position}`}
            text=""
            value={question.type}
            options={Object.entries(TYPE_NAMES)}
            choose={(type) => onChange(withType(question, type as KnownQuestionType))}
          />
        </div>
        {parts.options ? choices('options', 'Options') : null}
        {parts.grid ? (
          <div class="row question-row">
            {choices('rows', 'Rows')}
            {choices('columns', 'Columns')}
          </div>
        ) : null}
        <div class="row question-row">
          {flag('required', 'Required')}
          {parts.other ? flag('allow_other', 'Allow “Other”') : null}
          {parts.bounds ? [bound('min', 'From'), bound('max', 'To')] : null}
          {earlier.length > 0 ? (
            <Condition
              question={question}
              earlier={earlier}
              isInvalid={fault?.part === 'show_if'}
              onChange={onChange}
            />
          ) : null}
          <span class="row end actions">
            <Button
              class="button small"
              isOff={position === 1}
              aria-label={`Move question ${position} up`}
              run={() => onMove(-1)}
            >
              ↑
            </Button>
            <Button
              class="button small"
              isOff={position === total}
              aria-label={`Move question ${position} down`}
              run={() => onMove(1)}
            >
              ↓
            </Button>
            <Button class="button small" aria-label={`Duplicate question ${position}`} run={onCopy}>
              Duplicate
            </Button>
            <Button class="button small danger" aria-label={`Remove question ${position}`} run={onRemove}>
              Remove
            </Button>
          </span>
        </div>
        {fault ? (
          <p class="field-error" role="alert">
            {fault.message}
          </p>
        ) : null}
      </fieldset>
    </li>
  )
}

/** Whether a text is a type that the builder knows. */
export const isKnownType = (type: unknown): type is KnownQuestionType =>
  QUESTION_TYPES.includes(type as KnownQuestionType)
