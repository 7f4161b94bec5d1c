import { listAll } from '../api.ts'
import type { JournalEntry } from '../types.ts'
import { resource } from './resource.ts'

/** The journal: the latest API requests, newest first. */
export const requests = resource(() => listAll<JournalEntry>('requests'))
