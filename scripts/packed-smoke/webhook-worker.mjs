import * as fetchDoor from './dist/adapters/fetch.js'
import * as dedupe from './dist/dedupe/index.js'
import * as main from './dist/index.js'
import * as web from './dist/web.js'
import { checkReceiver, checkVerifier } from './webhook-check.mjs'
import vectors from './webhook-signatures.json'

// biome-ignore lint/style/noDefaultExport: this is how a Worker is found
export default {
  async test() {
    // The main entry runs on Workers with their compatibility with Node switched on.
    for (const verifier of [main, web]) await checkVerifier(verifier, vectors)
    await checkReceiver(fetchDoor, dedupe, web)
  },
}
