import type { FormRecord } from '../../src/domain/form.ts'

/** A draft that was never published, with the given changes. */
export const formRecord = (changes: Partial<FormRecord> = {}): FormRecord => ({
  id: 'formsurvey01',
  revision: 1,
  workspaceId: 1,
  slug: 'survey',
  title: 'Survey',
  status: 'draft',
  questions: [],
  publication: null,
  statusBeforeArchive: null,
  responseCount: 0,
  responseLimit: null,
  opensAt: null,
  closesAt: null,
  createdAt: 1000,
  updatedAt: 1000,
  trashedAt: null,
  ...changes,
})
