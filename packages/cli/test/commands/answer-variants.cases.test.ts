import { UNSPECIFIED } from '@formwire/reference-server'
import { describe, expect, it } from 'vitest'
import { runCli } from '../support/run-cli.ts'
import { type Service, startService } from '../support/service.ts'

const VALUE = { r1: 'c1', r2: 'c1' }

/** Creates a form whose closes_at has passed, with answers to a grid and a number. */
function fill({ server }: Service): string {
  const { id } = server.app.forms.create({
    title: 'Over',
    closes_at: '2000-01-01T00:00:00Z',
    questions: [
      { id: 'n', type: 'number', title: 'N' },
      {
        id: 'g',
        type: 'grid_single',
        title: 'G',
        rows: [
          { id: 'r1', label: 'R1' },
          { id: 'r2', label: 'R2' },
        ],
        columns: [{ id: 'c1', label: 'C1' }],
      },
    ],
  })
  server.app.forms.publish(id)
  server.app.responses.create(id, {
    answers: [
      { question_id: 'n', value: 2 },
      { question_id: 'g', value: VALUE },
    ],
  })
  return id
}

const choices = UNSPECIFIED.answerTexts.flatMap((answerTexts) =>
  UNSPECIFIED.questionTypeNames.flatMap((questionTypeNames) =>
    UNSPECIFIED.datesChangeStatus.map((datesChangeStatus) => ({
      answerTexts,
      questionTypeNames,
      datesChangeStatus,
    })),
  ),
)

describe('the CLI on deployments with other answer texts, question types and statuses', () => {
  it.each(choices)('[ENV-04][RESP-07] lists, reads and exports responses with %j', async (unspecified) => {
    const service = await startService({ unspecified: unspecified as never })
    try {
      const form = fill(service)
      const cli = async (...argv: string[]) => {
        const { code, stdout } = await runCli(argv, { env: { ...service.env, NO_COLOR: '1' } })
        expect([argv, code]).toEqual([argv, 0])
        return stdout
      }
      expect(JSON.parse(await cli('forms', 'get', form, '--json')).status).toBe(
        unspecified.datesChangeStatus === 'true' ? 'closed' : 'published',
      )
      const listed = await cli('responses', 'list', form)
      expect(listed.match(/\n/g)).toHaveLength(1)
      const grid = unspecified.answerTexts === 'variant' ? 'R1 = C1\nR2 = C1' : 'R1: C1; R2: C1'
      const exported = await cli('responses', 'export', form)
      expect(exported).toContain(grid)
      const [response] = JSON.parse(await cli('responses', 'list', form, '--json'))
      expect(response.answers.map(({ value }: { value: unknown }) => value)).toEqual([2, VALUE])
      expect(response.answers[1]).toMatchObject({
        type: unspecified.questionTypeNames === 'variant' ? 'matrix_single' : 'grid_single',
        text: grid,
      })
    } finally {
      await service.server.close()
    }
  })
})
