import { defineConfig } from 'tsup'
import { base } from '../../scripts/tsup-base.ts'

export default defineConfig({
  ...base,
  entry: {
    index: 'src/index.ts',
    undici: 'src/undici.ts',
    node: 'src/node.ts',
    validate: 'src/validate.ts',
    'checkpoint/file': 'src/checkpoint/file.ts',
    'checkpoint/redis': 'src/checkpoint/redis.ts',
  },
  format: ['esm', 'cjs'],
  // The core loads its own validation door by name, so that zod is only there for those who ask.
  external: ['@formwire/sdk/validate'],
})
