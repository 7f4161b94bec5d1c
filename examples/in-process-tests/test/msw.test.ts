import { createReferenceServer } from '@formwire/reference-server'
import { handlers } from '@formwire/reference-server/msw'
import { Formwire } from '@formwire/sdk'
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { countPromoters } from '../src/count-promoters.ts'
import { fill } from './fill.ts'

const baseUrl = 'https://forms.example.com'
const server = createReferenceServer()
const mocks = setupServer(
  ...handlers(server, { baseUrl }),
  http.get('https://rates.example.com/usd', () => HttpResponse.json({ rate: 1.1 })),
)

beforeAll(() => mocks.listen({ onUnhandledRequest: 'error' }))
afterAll(() => mocks.close())

it('counts promoters with the service behind msw, next to other mocks', async () => {
  // Without a `fetch` option, each call uses the global one, which msw has replaced.
  const formwire = new Formwire({ apiKey: server.writeKey, baseUrl })
  expect(await countPromoters(formwire, fill(server))).toBe(2)
  expect(await (await fetch('https://rates.example.com/usd')).json()).toEqual({ rate: 1.1 })
})
