import * as fetchAdapter from './dist/adapters/fetch.js'
import * as dedupe from './dist/dedupe/index.js'
import * as main from './dist/index.js'
import * as web from './dist/web.js'
import { checkReceiver, checkVerifier } from './webhook-check.mjs'
import vectors from './webhooks.json'

// biome-ignore lint/style/noDefaultExport: Workers export their handlers as default
export default {
  async test() {
    // The main entry point runs on Workers with nodejs_compat.
    for (const verifier of [main, web]) await checkVerifier(verifier, vectors)
    await checkReceiver(fetchAdapter, dedupe, web)
  },
}
