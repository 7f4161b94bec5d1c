import { PackageError } from '../../explained-error.ts'

/** Explains why msw could not be loaded, or that it is too old. */
export const unusableMsw = (cause?: unknown): PackageError =>
  new PackageError('@formwire/reference-server/msw', 'msw', '2.15', cause)
