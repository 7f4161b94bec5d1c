import type { Drift } from '@formwire/sync'
import type { Output } from '../output/output.ts'

/** Prints a change of a form. */
export function announceDrift(output: Output, drift: Drift, workspace?: string): void {
  const { formId: form_id } = drift
  const common = workspace === undefined ? { form_id } : { workspace, form_id }
  const form = workspace === undefined ? `form ${form_id}` : `form ${form_id} of ${workspace}`
  if (drift.kind === 'form_stopped') {
    const { reason } = drift
    output.announce(drift.kind, `${form} ${STOPPED[reason]}; its rows stay`, { ...common, reason })
    return
  }
  const { questionId: question_id, type } = drift
  const facts = { ...common, question_id, type }
  const question = `${form}: question ${question_id}`
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
