import { defineConfig } from 'tsup'
import { base } from '../../scripts/tsup-base.ts'

export default defineConfig({
  ...base,
  entry: {
    index: 'src/index.ts',
    undici: 'src/undici.ts',
    node: 'src/node.ts',
    otel: 'src/otel.ts',
    validate: 'src/validate.ts',
    'budget/postgres': 'src/budget/postgres.ts',
    'budget/redis': 'src/budget/redis.ts',
    'checkpoint/file': 'src/checkpoint/file.ts',
    'checkpoint/redis': 'src/checkpoint/redis.ts',
  },
  format: ['esm', 'cjs'],
  // The core imports its validation entry point by name, so that bundles contain zod only when it is used.
  external: ['@formwire/sdk/validate'],
})
