import { afterEach, expect, it, vi } from 'vitest'

afterEach(() => vi.unstubAllGlobals())

it('[FORM-14] includes the id of a form in its URL', async () => {
  vi.stubGlobal('location', { hash: '#/forms/formsurvey01/responses?q=ada' })
  const { link, route } = await import('../src/router.ts')
  expect(link(['forms', 'formsurvey01'])).toBe('#/forms/formsurvey01')
  expect(route.value.path).toEqual(['forms', 'formsurvey01', 'responses'])
})
