import { describe, expect, it } from 'vitest'
import { readAll, startMcp } from '../support/mcp-in-process.ts'

/** A text that takes more characters as JSON than it has. */
const LONG = 'é"\n\u202e'.repeat(60)
const COUNT = 52

const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1)

/** The numbers at the start of texts, in ascending order. */
const numbersOf = (texts: readonly string[]): number[] =>
  texts.map((text) => Number.parseInt(text, 10)).sort((one, other) => one - other)

describe('every list of the local server', () => {
  it('is complete over its pages, without repeats, each within 32,000 characters', async () => {
    const mcp = await startMcp([])
    await mcp.call('server', { action: 'start' })
    const questions = numbers(200).map((number) => ({
      id: `q${number}`,
      type: 'single_choice',
      title: `${number} ${LONG}`,
      options: numbers(5).map((id) => ({ id: String(id), label: LONG })),
    }))
    const { form: long } = await mcp.call('form', { action: 'create', questions })
    const read = await readAll(mcp, 'form', { action: 'get', form: long.id }, ({ form }) => form.questions)
    expect(read.map(({ id, title, options }) => ({ id, type: 'single_choice', title, options }))).toEqual(
      questions,
    )

    for (const number of numbers(COUNT - 1)) {
      const title = `${number} ${LONG}`.slice(0, 190)
      await mcp.call('form', { action: 'create', title, questions: questions.slice(0, 5) })
    }
    const forms = await readAll(mcp, 'form', { action: 'list' })
    expect(forms.find(({ id }) => id === long.id).questions).toBe(200)
    expect(numbersOf(forms.filter(({ id }) => id !== long.id).map(({ title }) => title))).toEqual(
      numbers(COUNT - 1),
    )
  })

  it('of responses, deliveries and requests is complete, too', async () => {
    const mcp = await startMcp([])
    const { url, read_key: key } = await mcp.call('server', { action: 'start' })
    const ids: string[] = []
    const receivers: number[] = []
    for (const _ of numbers(2)) {
      const { id: receiver } = await mcp.call('receiver', { action: 'start' })
      receivers.push(receiver)
      const { form } = await mcp.call('form', { action: 'create', receiver })
      const answers = [{ question_id: 'comment', value: LONG.repeat(10) }]
      await mcp.call('submit', { form: form.id, count: COUNT, answers })
      await mcp.call('clock', { advance: '0s' })
      ids.push(form.id)
    }
    const newestFirst = (count: number, from: number) => numbers(count).map((number) => from - number + 1)
    for (const [at, form] of ids.entries()) {
      const responses = await readAll(mcp, 'form', { action: 'responses', form })
      expect(responses.map(({ id }) => id)).toEqual(newestFirst(COUNT, (at + 1) * COUNT))
      const received = await readAll(mcp, 'receiver', { action: 'received', receiver: receivers[at] })
      expect(received.map(({ number }) => number)).toEqual(newestFirst(COUNT, COUNT))
    }
    // DLV-07: the log of an endpoint has the latest 50.
    const deliveries = await readAll(mcp, 'deliveries', {})
    expect(deliveries.map(({ response_id }) => response_id)).toEqual(
      [2, 1].flatMap((number) => newestFirst(50, number * COUNT)),
    )
    const headers = { authorization: `Bearer ${key}`, 'user-agent': LONG.replace(/[^ -~]/g, 'x') }
    for (const _ of numbers(COUNT)) await fetch(`${url}/api/v1/forms`, { headers })
    const requests = await readAll(mcp, 'requests', {})
    expect(new Set(requests.map(({ number }) => number)).size).toBe(COUNT)
  })
})
