import type { ReferenceServer } from '@formwire/reference-server'

/** Creates a published form with three answers to one NPS question and returns its id. */
export function fill({ app }: ReferenceServer): string {
  const form = app.forms.create({
    title: 'NPS',
    questions: [{ id: 'q1', type: 'nps', title: 'Would you recommend us?' }],
  })
  app.forms.publish(form.id)
  for (const value of [10, 9, 3]) app.responses.create(form.id, { answers: [{ question_id: 'q1', value }] })
  return form.id
}
