import { afterEach, expect, it, vi } from 'vitest'

afterEach(() => vi.unstubAllGlobals())

it('[FORM-14] includes the id of a form in its URL', async () => {
  vi.stubGlobal('location', { hash: '#/forms/formsurvey01/responses?q=ada' })
  const { link, route } = await import('../src/router.ts')
  expect(link(['forms', 'formsurvey01'])).toBe('#/forms/formsurvey01')
  expect(route.value.path).toEqual(['forms', 'formsurvey01', 'responses'])
})

it('keeps the parameters of a link that was just clicked', async () => {
  const location = { hash: '#/deliveries' }
  vi.stubGlobal('location', location)
  const { withQuery } = await import('../src/router.ts')
  location.hash = '#/deliveries?status=pending'
  expect(withQuery({ q: 'ada' })).toBe('#/deliveries?status=pending&q=ada')
})
