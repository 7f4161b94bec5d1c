import type { Drift } from '@formwire/sync'
import type { Output } from '../output/output.ts'

/** Prints a change of a form. */
export function announceDrift(output: Output, drift: Drift): void {
  const { formId: form_id } = drift
  if (drift.kind === 'form_stopped') {
    const { reason } = drift
    output.announce(drift.kind, `form ${form_id} ${STOPPED[reason]}; its rows stay`, { form_id, reason })
    return
  }
  const { questionId: question_id, type } = drift
  const facts = { form_id, question_id, type }
  const question = `form ${form_id}: question ${question_id}`
  if (drift.kind === 'question_added') output.announce(drift.kind, `${question} (${type}) is new`, facts)
  else if (drift.kind === 'question_removed')
    output.announce(drift.kind, `${question} (${type}) is no longer answered`, facts)
  else {
    const { before } = drift
    output.announce(drift.kind, `${question} changed from ${before} to ${type}`, { ...facts, before })
  }
}

const STOPPED = {
  closed: 'was closed',
  archived: 'was archived',
  unpublished: 'was unpublished',
  trashed: 'was trashed or is no longer accessible',
}
