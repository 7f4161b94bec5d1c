import type {
  Answer,
  EventType,
  Form,
  FormResponse,
  KeyScope,
  Timestamp,
  WebhookEndpoint,
  WorkspaceRole,
} from '@formwire/contract'

/** Shapes of `/_app` as far as the console reads them. Fields with `?` may be left out by a server. */

export interface Workspace {
  id: number
  name: string
  plan: string
  members?: { user_id: number; role: WorkspaceRole }[]
}

export interface User {
  id: number
  name: string
  email: string
}

interface Question {
  id: string
  type: string
  title: string
  required?: boolean
  show_if?: { question_id: string; equals: string | number } | null
}

export interface AppForm extends Form {
  workspace_id: number
  trashed: boolean
  published_title?: string | null
  questions?: Question[]
}

export type AppResponse = FormResponse & { answers: Answer[] }

export interface Endpoint extends WebhookEndpoint {
  form_id: string
}

export interface ApiKey {
  id: number
  name: string
  prefix: string
  scope: KeyScope
  workspace_id: number
  user_id: number
  created_at: Timestamp
  /** `null` while active. */
  revoked_at: Timestamp | null
}

type DeliveryStatus = 'pending' | 'delivered' | 'failed'

/** One entry of the delivery log, as the log and the stream carry it. */
export interface Delivery {
  id: string
  event: EventType
  status: DeliveryStatus
  response_id: number
  /** `{}` once the response was deleted. */
  payload: Record<string, unknown>
  http_status: number | null
  receiver_answer: string | null
  /** How many attempts were made. */
  attempts: number
  next_attempt_at: Timestamp | null
  note: string | null
  created_at: Timestamp
  webhook_id: number
  form_id: string
}

export interface Attempt {
  number: number
  started_at: Timestamp
  duration_ms: number
  http_status: number | null
  error: string | null
  /** `sha256=…`, as it was sent. */
  signature: string
  /** Unix seconds that were signed. */
  timestamp: number
  receiver_answer: string | null
}

/** `GET /_app/deliveries/{id}`. */
export interface DeliveryDetail extends Omit<Delivery, 'attempts'> {
  attempts: Attempt[]
  /** The body as it was sent; `null` once the response was deleted. */
  raw_body: string | null
}

/** One API request of the journal, `GET /_app/requests`. */
export interface JournalEntry {
  number: number
  request_id: string
  received_at: Timestamp
  method: string
  path: string
  query: string
  status: number
  key_id: number | null
  key_prefix: string | null
  address: string
  user_agent: string | null
}

export interface ClockState {
  mode: 'real' | 'manual'
  now: Timestamp
}
