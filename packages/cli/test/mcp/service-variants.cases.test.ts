import { expect, it } from 'vitest'
import { startMcp } from '../support/mcp-in-process.ts'
import { SURVEY, testService } from '../support/service.ts'

it.each(Array.from({ length: 12 }, (_, at) => at + 1))(
  'tools of the configured service work with unspecified behaviours drawn by seed %i',
  async (seed) => {
    const { env } = await testService({ limits: 'off', unspecified: `random:${seed}` as never })
    const { call } = await startMcp(['--allow-write'], {
      env,
      onAsk: () => ({ action: 'accept', content: { confirm: true } }),
    })
    const first = await call('responses', { form: SURVEY, limit: 1 })
    const second = await call('responses', { form: SURVEY, limit: 1, cursor: first.next_cursor })
    expect([...first.items, ...second.items].map(({ id }: { id: number }) => id)).toEqual([2, 1])
    expect(second.next_cursor).toBeNull()
    expect((await call('responses', { form: SURVEY, status: 'in_progress' })).items).toHaveLength(1)
    expect((await call('forms')).total).toBe(2)
    expect((await call('forms', { form: SURVEY })).questions).toHaveLength(3)
    expect((await call('types', { forms: [SURVEY] })).forms[0].questions).toBe(3)
    for (const action of ['close', 'reopen'])
      expect((await call('change', { action, form: SURVEY })).changed).toBe(true)
    for (const action of ['delete_responses', 'delete_endpoints']) {
      const deletion = { action, form: SURVEY, ids: [1] }
      const { token } = await call('change', deletion)
      expect((await call('change', { ...deletion, token })).deleted).toEqual([1])
    }
  },
)
