import type { CheckpointStore, FormResponse, Formwire } from '@formwire/sdk'

/** Somebody who would not recommend us. */
export interface Alert {
  responseId: number
  score: number
  email: string | null
}

/** Reads what came in since the last run and reports every answer of 6 or less to the NPS question. */
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
  for (const answer of response.answers) if (answer.type === 'nps') return answer.value
  return undefined
}
