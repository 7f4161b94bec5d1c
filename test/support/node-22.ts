import { fileURLToPath } from 'node:url'

/** The binary of Node 22: pg-boss 12 does not run on the Node 20 that the suite may run on. */
export const node22 = fileURLToPath(new URL('../node-22/node_modules/node/bin/node', import.meta.url))
