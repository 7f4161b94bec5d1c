import type { JournalEntry } from '@formwire/contract/control'
import { list } from '../api.ts'
import { resource } from './resource.ts'

/** The journal: the latest API requests, newest first. */
export const requests = resource(async () => (await list<JournalEntry>('requests')).data)
