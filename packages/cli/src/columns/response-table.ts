import type { FormResponse } from '@formwire/contract'
import { QuestionColumns } from '../export/columns.ts'
import type { Column } from '../output/table.ts'
import { safeLine } from '../output/text-safety.ts'
import { fitted } from '../output/width.ts'
import { member, type Now, timeColumn } from './members.ts'
import { scoreText } from './responses.ts'

/** Widest header of a question. */
const MAX_HEADER = 20

/** Columns of a table of responses on a terminal: as many of their questions as fit, in the order of the form. */
export function responseTable(now: Now, responses: readonly FormResponse[]): readonly Column<FormResponse>[] {
  const questions = new QuestionColumns()
  for (const response of responses) questions.add(response)
  return [
    { ...member('id', 'Id'), align: 'right' },
    timeColumn('submitted_at', 'Submitted', now, 'not yet'),
    { ...member('email', 'Email'), shrinks: 'apart', drops: 2 },
    { header: 'Score', text: scoreText, align: 'right', drops: 2 },
    ...questions.all.map(({ id, title }) => ({
      header: fitted(safeLine(title), MAX_HEADER),
      text: ({ answers }: FormResponse) => answers.find((one) => one.question_id === id)?.text ?? '',
      shrinks: 12,
      drops: 3,
    })),
  ]
}
