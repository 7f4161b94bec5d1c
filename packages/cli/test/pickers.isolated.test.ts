import { expect, it, vi } from 'vitest'
import { WAIT_MS } from '../../../test/support/patience.ts'
import type { Context } from '../src/context.ts'
import { chooseForm } from '../src/pickers/choose.ts'

const load = vi.hoisted(() => vi.fn<() => void>())
vi.mock('../src/pickers/picker.tsx', () => {
  load()
  return { pick: async () => ['survey000001'] }
})

it('loads the picker while the service responds', async () => {
  const forms = {
    async *list() {
      await vi.waitFor(() => expect(load).toHaveBeenCalled(), { timeout: WAIT_MS })
      yield { id: 'survey000001', title: 'Survey', status: 'published' }
    },
  }
  const context = {
    client: async () => ({ forms }),
    output: { note: vi.fn() },
    runtime: { stop: new AbortController().signal },
  }
  expect(await chooseForm(context as unknown as Context, [], {})).toEqual(['survey000001'])
})
