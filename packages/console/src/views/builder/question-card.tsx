import { type KnownQuestionType, QUESTION_TYPES } from '@formwire/contract'
import type { Choice } from '@formwire/contract/control'
import { Button, Options } from '../../ui/controls.tsx'
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

function Bound({
  label,
  value,
  usual,
  isInvalid,
  onChange,
}: {
  label: string
  value: number | string | undefined
  /** What applies without a value. */
  usual: number | undefined
  isInvalid: boolean
  onChange: (value: number | undefined) => void
}) {
  return (
    <label class="check bound">
      {label}
      <input
        type="number"
        step="any"
        placeholder={usual?.toString() ?? 'any'}
        aria-invalid={isInvalid}
        value={value ?? ''}
        onInput={(event) => {
          const { value: text } = event.currentTarget
          onChange(text === '' ? undefined : Number(text))
        }}
      />
    </label>
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
      <label class="check">
        <span aria-hidden="true">Show</span>
        <select
          aria-label={`When to show question ${earlier.length + 1}`}
          value={condition?.question_id ?? ''}
          onChange={(event) => {
            const { value } = event.currentTarget
            const chosen = earlier.find(({ id }) => id === value)
            if (!chosen) return onChange(rest)
            const first = chosen.type === 'yes_no' ? 'yes' : chosen.options?.[0]?.id
            const equals = first ?? (partsOf(chosen).bounds ? 1 : '')
            onChange({ ...rest, show_if: { question_id: value, equals } })
          }}
        >
          <option value="">always</option>
          <Options of={earlier.map(({ id = '', title }) => [id, `if “${title.slice(0, 60)}” is`])} />
        </select>
      </label>
      {condition && options ? (
        <label class="check">
          <span class="off-screen">Show if the answer is</span>
          <select
            value={String(condition.equals)}
            onChange={(event) =>
              onChange({ ...rest, show_if: { ...condition, equals: event.currentTarget.value } })
            }
          >
            <Options of={options.map(({ id, label }) => [id, label.slice(0, 60)])} />
          </select>
        </label>
      ) : condition ? (
        <label class="check">
          <span class="off-screen">Show if the answer is</span>
          <input
            type={isNumber ? 'number' : 'text'}
            placeholder="answer"
            aria-invalid={isInvalid}
            value={String(condition.equals)}
            onInput={(event) => {
              const { value } = event.currentTarget
              onChange({ ...rest, show_if: { ...condition, equals: isNumber ? Number(value) : value } })
            }}
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
  const { min, max, ...unbounded } = question
  const bounded = (bounds: { min: typeof min; max: typeof max }): EditedQuestion => ({
    ...unbounded,
    ...(bounds.min !== undefined && { min: bounds.min }),
    ...(bounds.max !== undefined && { max: bounds.max }),
  })
  const name = `Question ${position}`
  return (
    <li class={`card question-card ${fault ? 'is-invalid' : ''}`} onFocusIn={onFocus}>
      <fieldset class="stack">
        <legend class="off-screen">{name}</legend>
        <div class="row question-row">
          <span class="muted" aria-hidden="true">
            {position}
          </span>
          <label class="field grow">
            <span class="off-screen">Title of question {position}</span>
            <input
              value={question.title}
              placeholder="Question"
              aria-invalid={fault?.part === 'title'}
              onInput={(event) => onChange({ ...question, title: event.currentTarget.value })}
            />
          </label>
          <label class="field">
            <span class="off-screen">Type of question {position}</span>
            <select
              value={question.type}
              onChange={(event) =>
                onChange(withType(question, event.currentTarget.value as KnownQuestionType))
              }
            >
              <Options of={Object.entries(TYPE_NAMES)} />
            </select>
          </label>
        </div>
        {parts.options ? (
          <Choices
            label="Options"
            value={question.options ?? []}
            saved={saved?.options}
            isInvalid={fault?.part === 'options'}
            onChange={(options) => onChange({ ...question, options })}
          />
        ) : null}
        {parts.grid ? (
          <div class="row question-row">
            <Choices
              label="Rows"
              value={question.rows ?? []}
              saved={saved?.rows}
              isInvalid={fault?.part === 'rows'}
              onChange={(rows) => onChange({ ...question, rows })}
            />
            <Choices
              label="Columns"
              value={question.columns ?? []}
              saved={saved?.columns}
              isInvalid={fault?.part === 'columns'}
              onChange={(columns) => onChange({ ...question, columns })}
            />
          </div>
        ) : null}
        <div class="row question-row">
          <label class="check">
            <input
              type="checkbox"
              checked={question.required ?? false}
              onChange={(event) => onChange({ ...question, required: event.currentTarget.checked })}
            />
            Required
          </label>
          {parts.other ? (
            <label class="check">
              <input
                type="checkbox"
                checked={question.allow_other ?? false}
                onChange={(event) => onChange({ ...question, allow_other: event.currentTarget.checked })}
              />
              Allow “Other”
            </label>
          ) : null}
          {parts.bounds ? (
            <>
              <Bound
                label="From"
                value={min}
                usual={parts.usualBounds?.min}
                isInvalid={fault?.part === 'min'}
                onChange={(value) => onChange(bounded({ min: value, max }))}
              />
              <Bound
                label="To"
                value={max}
                usual={parts.usualBounds?.max}
                isInvalid={fault?.part === 'max'}
                onChange={(value) => onChange(bounded({ min, max: value }))}
              />
            </>
          ) : null}
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
