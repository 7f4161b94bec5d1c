import type { QueuedResponse } from '@formwire/sync/inbox'
import type { Column, Field } from '../output/table.ts'
import { member, type Now, timeColumn, timeField } from './members.ts'

/** Names a response in a queue, whatever its id there: that of a dead one changes when it is retried. */
export const nameOf = ({ form_id, response_id }: QueuedResponse): string => `${form_id}/${response_id}`

/** Columns of a list of responses in a queue. On a terminal, their ids are one column. */
export const queuedColumns = (now: Now): readonly Column<QueuedResponse>[] => [
  { ...member('id', 'Response'), text: nameOf },
  { ...member('form_id', 'Form'), text: () => '' },
  { ...member('response_id', 'Response'), text: () => '' },
  { ...member('source', 'Source'), drops: 3, dropsIfSame: 5 },
  { ...member('attempts', 'Attempts'), align: 'right' },
  timeColumn('queued_at', 'Queued', now),
  { ...timeColumn('ended_at', 'Ended', now), drops: 3, dropsIfSame: 5 },
  { ...member('error', 'Error'), shrinks: 12 },
]

/** Fields of one response in a queue. */
export const queuedFields = (now: Now): readonly Field<QueuedResponse>[] => [
  member('id', 'Id'),
  member('workspace_id', 'Workspace'),
  member('form_id', 'Form'),
  member('response_id', 'Response'),
  member('state', 'State'),
  member('source', 'Source'),
  member('attempts', 'Attempts'),
  timeField('queued_at', 'Queued', now),
  timeField('ended_at', 'Ended', now, 'not yet'),
  { ...member('error', 'Error', 'none'), keepsLines: true },
]

/** The members of a response in a queue, in the order of a CSV. */
export const QUEUED_FIELDS = queuedFields(Date.now).map(({ name }) => name)
