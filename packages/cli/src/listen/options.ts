import type { AdminTokenOption } from '../input/admin-token.ts'

/** The options of `listen`, as parsed by commander. */
export interface ListenOptions extends AdminTokenOption {
  form?: string
  forwardTo?: string
  publicUrl?: string
  port?: number
  count?: number
  timeout?: number
  match?: string[]
  respond?: number[]
  record?: string
  secretStdin?: boolean
}
