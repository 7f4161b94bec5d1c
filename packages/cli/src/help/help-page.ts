import { helpUrlOf as sectionUrl } from '@formwire/internal/help-page'

/** Returns the URL of the section about an error. Statuses that have no code of their own share one. */
export const helpUrlOf = (code: string): string => sectionUrl(/^http_\d+$/.test(code) ? 'http_status' : code)
