import type { CheckpointStore, FormResponse, Formwire } from '@formwire/sdk'

/** Id of the form's question. Use the id rather than the type: the service documents the names of only two types. */
const NPS_QUESTION = 'nps'

/** A respondent who would not recommend us. */
export interface Alert {
  responseId: number
  score: number
  email: string | null
}

/** Reads the responses since the last run and reports every answer of 6 or less to the NPS question. */
export async function detractorAlerts(
  formwire: Formwire,
  formId: string,
  checkpoint: CheckpointStore,
): Promise<Alert[]> {
  const alerts: Alert[] = []
  for await (const response of formwire.responses.poll(formId, { checkpoint, once: true })) {
    const score = npsOf(response)
    if (score !== undefined && score <= 6)
      alerts.push({ responseId: response.id, score, email: response.email })
  }
  return alerts
}

function npsOf(response: FormResponse): number | undefined {
  const value = response.answers.find((answer) => answer.question_id === NPS_QUESTION)?.value
  return typeof value === 'number' ? value : undefined
}
