import { isObject } from '@formwire/internal/json'
import { useState } from 'preact/hooks'
import type { EditedQuestion } from './model.ts'

interface JsonEditorProps {
  readonly questions: readonly EditedQuestion[]
  readonly onChange: (questions: readonly EditedQuestion[]) => void
}

/** The questions as JSON. Calls `onChange` for each text that is a list of objects. */
export function JsonEditor({ questions, onChange }: JsonEditorProps) {
  const [text, setText] = useState(() => JSON.stringify(questions, null, 2))
  const [error, setError] = useState<string | undefined>(undefined)
  const read = (next: string) => {
    setText(next)
    const problem = problemOf(next)
    setError(problem)
    if (problem === undefined) onChange(JSON.parse(next))
  }
  return (
    <label class="field json-editor">
      Questions, in the format of POST /_app/forms
      <textarea
        class="mono"
        rows={24}
        spellcheck={false}
        value={text}
        aria-invalid={error !== undefined}
        aria-describedby="json-error"
        onInput={(event) => read(event.currentTarget.value)}
      />
      <span class="field-error" id="json-error" role="alert">
        {error}
      </span>
    </label>
  )
}

function problemOf(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (!Array.isArray(value)) return 'Enter a JSON array of questions: [ … ].'
    const index = value.findIndex((one) => !isObject(one))
    return index === -1 ? undefined : `Question ${index + 1} must be an object: { "type": …, "title": … }.`
  } catch (cause) {
    return `Not valid JSON: ${(cause as Error).message}`
  }
}
