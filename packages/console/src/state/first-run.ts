import { computed, effect, signal } from '@preact/signals'
import { endpoints, forms, liveForms } from './catalog.ts'
import { totals } from './deliveries.ts'

/** Whether the server had no form when this page saw it. The first steps are then shown until they are done. */
const isNew = signal(false)
effect(() => {
  if (forms.data.value?.length === 0) isNew.value = true
})

/** Whether the first steps are hidden, as long as the page is open. */
export const isDismissed = signal(false)

/** Which of the steps from an empty server to a signed delivery are done: a form, an endpoint, a response, a delivery. */
export const stepsDone = computed((): readonly boolean[] => [
  liveForms.value.some(({ status }) => status !== 'draft'),
  (endpoints.data.value ?? []).some(({ active }) => active),
  liveForms.value.some(({ response_count: responses }) => responses > 0),
  totals.value.delivered > 0,
])

/** Whether the log shows the first steps: until they are done, as long as it is empty or if the server was. */
export const isFirstRun = computed(() => {
  const isLoaded = endpoints.data.value !== undefined && forms.data.value !== undefined
  const isEmpty = isNew.value || totals.value.all === 0
  return isLoaded && isEmpty && !isDismissed.value && stepsDone.value.includes(false)
})
