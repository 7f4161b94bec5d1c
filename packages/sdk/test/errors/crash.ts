/** Ends with an uncaught error whose cause contains the key, which is the argument. */
import { Formwire } from '../../src/index.ts'

const apiKey = process.argv[2] as string
const transport = async () => {
  throw new Error(`Bearer ${apiKey} is not a header`)
}
await new Formwire({ apiKey, transport, maxRetries: 0 }).me()
