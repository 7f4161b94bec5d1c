export type { Session, SqlRow, SqlValue, SyncStore } from './database/driver.ts'
export {
  StoreError,
  type StoreErrorCode,
  type SyncSummary,
  SyncUsageError,
  UnknownFormsError,
} from './errors.ts'
export type { SyncedResponse, SyncOptions, SyncPause, SyncProgress } from './options.ts'
export type { SubmittedEvent } from './rows/delivered.ts'
export type { DeletedRows } from './store/marks.ts'
export type { RowChange } from './store/writes.ts'
export { createSync, type OnceOptions, type Sync } from './sync.ts'
