/** Formats of an export. */
export const EXPORT_FORMATS = ['csv', 'ndjson', 'json'] as const

/** A format of an export. */
export type ExportFormat = (typeof EXPORT_FORMATS)[number]
