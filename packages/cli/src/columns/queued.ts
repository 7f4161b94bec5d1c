import type { QueuedResponse } from '@formwire/sync/inbox'
import type { Column, Field } from '../output/table.ts'
import { member, type Now, timeColumn, timeField } from './members.ts'

/** The members of a response in a queue, in the order of a CSV. */
export const QUEUED_FIELDS = [
  'id',
  'workspace_id',
  'form_id',
  'response_id',
  'state',
  'source',
  'attempts',
  'queued_at',
  'ended_at',
  'error',
] as const satisfies readonly (keyof QueuedResponse)[]

/** Names a response in a queue, whatever its id there: that of a dead one changes when it is retried. */
export const nameOf = ({ form_id, response_id }: QueuedResponse): string => `${form_id}/${response_id}`

/** Columns of a list of responses in a queue. On a terminal, their ids are one column. */
export const queuedColumns = (now: Now): readonly Column<QueuedResponse>[] => [
  { ...member('id', 'Response'), text: nameOf },
  { ...member('form_id', 'Form'), text: () => '' },
  { ...member('response_id', 'Response'), text: () => '' },
  { ...member('source', 'Source'), drops: true },
  { ...member('attempts', 'Attempts'), align: 'right' },
  timeColumn('queued_at', 'Queued', now),
  { ...timeColumn('ended_at', 'Ended', now), drops: true },
  { ...member('error', 'Error'), shrinks: true },
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
