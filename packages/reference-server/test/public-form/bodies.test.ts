import { describe, expect, it } from 'vitest'
import { startForm } from './helpers.ts'

const BOUNDARY = 'a-boundary-of-thirty-characters'
const QUESTIONS = [
  { id: 'name', type: 'short_text', title: 'Name' },
  { id: 'cv', type: 'file', title: 'CV' },
]
const part = (disposition: string, value: string) =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${value}\r\n`
const end = `--${BOUNDARY}--\r\n`

async function startPosting(limits: object = {}, questions: object[] = QUESTIONS) {
  const form = await startForm(questions, { options: { limits } })
  const post = (body: string | ReadableStream, type = `multipart/form-data; boundary=${BOUNDARY}`) =>
    form.call('POST', '', {
      headers: { accept: 'application/json', 'content-type': type },
      body,
      ...(typeof body === 'string' ? {} : { duplex: 'half' }),
    } as RequestInit)
  return { ...form, post }
}

describe('bodies of form posts', () => {
  it('[ERR-01] reads names, files and line ends as browsers and other programs send them', async () => {
    const { post, stored } = await startPosting()
    const body = `${part('name="q[name]"', 'Ann\r\nLee')}${part('name="q[cv]"; filename="a%22\\"b.pdf"', 'PDF')}${part('name="q[cv]"; filename=""', '')}${end}`
    expect((await post(`preamble\r\n${body}epilogue`)).status).toBe(201)
    expect(stored(1).answers).toMatchObject([
      { question_id: 'name', value: 'Ann\nLee' },
      { question_id: 'cv', value: [{ name: 'a""b.pdf', size: 3 }] },
    ])
  })

  it('[ERR-01] reads a quoted boundary and an empty part', async () => {
    const { post, stored } = await startPosting()
    const body = part('name="q[name]"', '').replace('\r\n\r\n\r\n', '\r\n\r\n') + end
    expect((await post(body, `Multipart/Form-Data; charset=utf-8; boundary="${BOUNDARY}"`)).status).toBe(201)
    expect(stored(1).answers).toEqual([])
  })

  it.each([
    ['no boundary', `${part('name="a"', 'x')}${end}`, 'multipart/form-data'],
    ['no end', part('name="a"', 'x')],
    ['a part without a name', `${part('filename="a"', 'x')}${end}`],
    ['a part without headers', `--${BOUNDARY}\r\nx\r\n${end}`],
    ['another delimiter', `--another\r\n\r\n--another--`],
    ['nothing', ''],
  ])('[ERR-01] rejects %s with 400', async (_what, body, type?: string) => {
    const { post } = await startPosting()
    const { status, body: response } = await post(body, type)
    expect([status, response.error]).toEqual([
      400,
      { code: 'bad_request', message: 'The multipart body is malformed.' },
    ])
  })

  it('[ERR-01] rejects more fields or files than a form can have', async () => {
    const { post } = await startPosting({ fileMaxBytes: 10_485_760 })
    const fields = part('name="a"', '').repeat(30_000) + end
    expect((await post(fields)).body.error.message).toBe('The form fields exceed 1 MiB in total.')
    const names = 'a&'.repeat(65_001)
    expect((await post(names, 'application/x-www-form-urlencoded')).body.error.message).toBe(
      'The form post has more than 65000 fields.',
    )
    const files = part('name="q[cv]"; filename="f"', 'x').repeat(201) + end
    expect((await post(files)).body.error.message).toBe('The form post has more than 200 files.')
  })

  it('[ERR-01] rejects bodies with files beyond the maximum of all being received with 429, and no others', async () => {
    const { post, submit } = await startPosting({ filesTotalMaxBytes: 1_048_576, fileMaxBytes: 1_048_576 })
    const held = heldBody(part('name="a"; filename="f"', 'x'.repeat(2_000_000)), end)
    const first = post(held.body)
    await new Promise((resolve) => setImmediate(resolve))
    const file = part('name="q[cv]"; filename="f"', 'x'.repeat(100_000)) + end
    expect(refusal(await post(file))).toEqual([429, 'rate_limited', '60'])
    expect((await submit({ name: 'x'.repeat(1_000_000) })).status).toBe(201)
    expect((await post('q[name]=Ann', 'application/x-www-form-urlencoded')).status).toBe(201)
    held.finish()
    await first
    expect((await post(file)).status).toBe(201)
  })

  it('[ERR-01] rejects bodies without files beyond the maximum of all being received with 429', async () => {
    const { form, server, post, submit } = await startPosting({ filesTotalMaxBytes: 1_048_576 }, [
      { id: 'name', type: 'short_text', title: 'Name' },
    ])
    const held = heldBody(part('name="a"', 'x'.repeat(1_000_000)), end)
    const first = post(held.body)
    await new Promise((resolve) => setImmediate(resolve))
    expect(refusal(await submit({ name: 'x'.repeat(400_000) }))).toEqual([429, 'rate_limited', '60'])
    held.finish()
    await first
    expect((await submit({ name: 'x'.repeat(400_000) })).status).toBe(201)
    expect(server.app.responses.list(form.id).total).toBe(2)
  })
})

// biome-ignore lint/suspicious/noExplicitAny: tests read any part of a response
const refusal = ({ status, body, headers }: { status: number; body: any; headers: Headers }) => [
  status,
  body.error?.code,
  headers.get('retry-after'),
]

/** A body whose rest is sent by `finish`. */
function heldBody(start: string, rest: string): { body: ReadableStream; finish: () => void } {
  let finish: () => void = () => undefined
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(Buffer.from(start))
      finish = () => {
        controller.enqueue(Buffer.from(rest))
        controller.close()
      }
    },
  })
  return { body, finish: () => finish() }
}
