/** Adds the CommonJS modules and their types to `dist`. After tsup has ended: its `onSuccess` may run before the types are written. */
import { fileURLToPath } from 'node:url'
import { writeCommonJs } from '../commonjs.ts'

await writeCommonJs(fileURLToPath(new URL('../dist/', import.meta.url)))
