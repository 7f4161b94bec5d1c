import { get } from 'node:http'
import { describe, expect, it } from 'vitest'
import { createReferenceServer } from '../../src/index.ts'

describe('a list of large responses', () => {
  it('[ENV-02] is sent in chunks of a few responses, and reads like any other list', async () => {
    const server = createReferenceServer()
    const form = server.app.forms.create({
      title: 'Form',
      questions: [{ id: 'q', type: 'long_text', title: 'Q' }],
    })
    const text = 'é"\n'.repeat(100_000)
    for (let n = 0; n < 8; n += 1)
      server.app.responses.create(form.id, { answers: [{ question_id: 'q', value: text }] })
    const path = `/api/v1/forms/${form.id}/responses?per_page=7`
    const headers = { authorization: `Bearer ${server.readKey}` }

    const { url } = await server.listen({ port: 0 })
    const body = await new Promise<string>((resolve, reject) => {
      get(`${url}${path}`, { headers, agent: false }, (response) => {
        expect(response.headers).toMatchObject({
          'content-type': 'application/json',
          'transfer-encoding': 'chunked',
        })
        let received = ''
        response.setEncoding('utf8')
        response.on('data', (chunk) => {
          received += chunk
        })
        response.on('end', () => resolve(received))
      }).on('error', reject)
    })
    const inProcess = await (await server.fetch(`http://formwire.test${path}`, { headers })).text()
    await server.close()
    expect(body === inProcess).toBe(true)
    const list = JSON.parse(body)
    expect(list.meta).toEqual({ page: 1, per_page: 7, total: 8 })
    expect(list.data.map(({ id }: { id: number }) => id)).toEqual([8, 7, 6, 5, 4, 3, 2])
    expect(list.data[6].answers[0].value === text).toBe(true)
  })
})
