import type { BuilderForm } from '@formwire/contract/control'

/** Whether the public form accepts a response. It may still be full, or outside its dates: the server then refuses one. */
export const acceptsSamples = ({ status, trashed }: BuilderForm): boolean =>
  status === 'published' && !trashed
