import type { FormResponse } from '@formwire/contract'
import type { Column, Field, LiveColumn } from '../output/table.ts'
import { spanText, timeOrDate } from '../output/time.ts'
import { LIVE, member, type Now, STATUS, timeColumn, timeField } from './members.ts'

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

export const scoreText = (response: FormResponse): string =>
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

/** Columns of a list of responses. @param hasStatus whether their status may differ, or was asked for */
export function responseColumns(now: Now, hasStatus = true): readonly Column<FormResponse>[] {
  return [
    { ...member('id', 'Id'), align: 'right' },
    timeColumn('submitted_at', 'Submitted', now, 'not yet'),
    ...(hasStatus ? [STATUS] : []),
    { ...member('email', 'Email'), shrinks: 'apart' },
    { header: 'Score', text: scoreText, align: 'right' },
    { header: 'Answers', text: answersText, shrinks: 12 },
  ]
}

/** Columns of a tail on a terminal. @param hasForm whether responses of several forms are shown */
export const responseTailColumns = (now: Now, hasForm: boolean): readonly LiveColumn<FormResponse>[] => [
  { ...LIVE.time, text: ({ submitted_at: at }) => (at === null ? '' : timeOrDate(at, now())) },
  ...(hasForm ? [LIVE.form] : []),
  { ...member('id', 'Id'), width: 8, align: 'right' },
  { ...member('email', 'Email'), width: 24, shrinks: 12, drops: 3 },
  { header: 'Score', text: scoreText, width: 11, align: 'right', drops: 4 },
  { header: 'Answers', text: answersText, width: 14, grows: true, drops: 2 },
]

/** Fields of one response: its properties, then one field per answer. */
export function responseFields(response: FormResponse, now: Now): readonly Field<FormResponse>[] {
  return [
    member('id', 'Id'),
    member('form_id', 'Form'),
    STATUS,
    timeField('started_at', 'Started', now),
    timeField('submitted_at', 'Submitted', now, 'not yet'),
    {
      ...member('duration_sec', 'Duration'),
      text: ({ duration_sec: seconds }) => spanText(seconds * 1000),
    },
    member('email', 'Email', 'none'),
    { name: 'score', header: 'Score', text: (one) => scoreText(one) || 'none', plain: scoreText },
    ...answerFields(response.answers),
  ]
}

/** One field per answer. */
export const answerFields = (answers: FormResponse['answers']): Field<unknown>[] =>
  answers.map((answer) => ({
    name: `answer.${answer.question_id}`,
    header: answer.title,
    text: () => answer.text,
    keepsLines: true,
  }))
