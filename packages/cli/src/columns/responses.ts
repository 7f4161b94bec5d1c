import type { FormResponse } from '@formwire/contract'
import { statusPen } from '../output/colour.ts'
import type { Field } from '../output/output.ts'
import type { Column } from '../output/table.ts'
import { relativeTime, spanText } from '../output/time.ts'

/** The members of a response; `answer.QUESTION` stands for the answer to a question. */
export const RESPONSE_FIELDS = [
  'id',
  'form_id',
  'status',
  'started_at',
  'submitted_at',
  'duration_sec',
  'email',
  'score',
  'max_score',
  'answers',
  'meta',
  'answer.QUESTION',
] as const

const scoreText = (response: FormResponse): string =>
  response.score === null
    ? ''
    : `${response.score}${response.max_score === null ? '' : `/${response.max_score}`}`

const ANSWERS_SHOWN = 3

/** Returns the first answers on one line. */
function answersText(response: FormResponse): string {
  return response.answers
    .slice(0, ANSWERS_SHOWN)
    .map((answer) => answer.text)
    .join(' · ')
}

/** Columns of a list of responses. */
export function responseColumns(now: number): readonly Column<FormResponse>[] {
  return [
    { name: 'id', header: 'Id', text: (response) => String(response.id), align: 'right' },
    {
      name: 'submitted_at',
      header: 'Submitted',
      text: (response) =>
        response.submitted_at === null ? 'not yet' : relativeTime(response.submitted_at, now),
      plain: (response) => response.submitted_at ?? '',
    },
    {
      name: 'status',
      header: 'Status',
      text: (response) => response.status,
      pen: (response) => statusPen(response.status),
    },
    { name: 'email', header: 'Email', text: (response) => response.email ?? '', shrinks: true },
    { name: 'score', header: 'Score', text: scoreText, align: 'right' },
    { name: 'answers', header: 'Answers', text: answersText, shrinks: true },
  ]
}

/** Fields of one response: its properties, then one field per answer. */
export function responseFields(response: FormResponse, now: number): readonly Field<FormResponse>[] {
  const date = (timestamp: string | null): string =>
    timestamp === null ? 'not yet' : `${relativeTime(timestamp, now)} (${timestamp})`
  return [
    { name: 'id', label: 'Id', text: () => String(response.id) },
    { name: 'form_id', label: 'Form', text: () => response.form_id },
    { name: 'status', label: 'Status', text: () => response.status, pen: () => statusPen(response.status) },
    {
      name: 'started_at',
      label: 'Started',
      text: () => date(response.started_at),
      plain: () => response.started_at,
    },
    {
      name: 'submitted_at',
      label: 'Submitted',
      text: () => date(response.submitted_at),
      plain: () => response.submitted_at ?? '',
    },
    {
      name: 'duration_sec',
      label: 'Duration',
      text: () => spanText(response.duration_sec * 1000),
      plain: () => String(response.duration_sec),
    },
    {
      name: 'email',
      label: 'Email',
      text: () => response.email ?? 'none',
      plain: () => response.email ?? '',
    },
    {
      name: 'score',
      label: 'Score',
      text: () => scoreText(response) || 'none',
      plain: () => scoreText(response),
    },
    ...response.answers.map((answer) => ({
      name: `answer.${answer.question_id}`,
      label: answer.title,
      text: () => answer.text,
      keepsLines: true,
    })),
  ]
}
