import type { Formwire } from '@formwire/sdk'

/** The code under test: counts the answers of 9 or 10 to the NPS questions of a form. */
export async function countPromoters(formwire: Formwire, formId: string): Promise<number> {
  let promoters = 0
  for await (const { answers } of formwire.responses.list(formId, { per_page: 100 })) {
    for (const answer of answers) if (answer.type === 'nps' && answer.value >= 9) promoters += 1
  }
  return promoters
}
