import type { BuilderForm } from '@formwire/contract/control'
import { useEffect } from 'preact/hooks'
import { formPath, get } from '../api.ts'
import { useResource } from '../state/resource.ts'
import { Empty, isLoaded, NotLoaded } from '../ui/loading.tsx'
import { Code, Json, Line } from '../ui/values.tsx'

/** The questions of a form, as in the builder. */
export function QuestionList({ formId }: { formId: string }) {
  const form = useResource(get<BuilderForm>, formPath(formId))
  useEffect(() => void form.refresh(), [form])
  const questions = form.data.value?.questions
  if (!isLoaded(form)) return <NotLoaded of={form} what="the questions" />
  if (!questions || questions.length === 0)
    return <Empty title="No questions yet">This form has no questions.</Empty>
  return (
    <ol class="stack questions">
      {questions.map((question, index) => (
        <li key={question.id}>
          <details class="box">
            <summary class="row">
              <span class="muted">{index + 1}</span>
              <Line value={question.title} />
              <span class="type">{question.type}</span>
              {question.required ? <span class="muted">required</span> : null}
              {question.show_if ? (
                <span class="muted">
                  shown if <code>{question.show_if.question_id}</code> is{' '}
                  <code>{String(question.show_if.equals).slice(0, 60)}</code>
                </span>
              ) : null}
              <span class="spring" />
              <span class="muted">
                id <Code value={question.id} />
              </span>
            </summary>
            <Json value={question} label={`Question ${question.id}`} />
          </details>
        </li>
      ))}
    </ol>
  )
}
