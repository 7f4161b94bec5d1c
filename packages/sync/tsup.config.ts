import { defineConfig } from 'tsup'
import { base } from '../../scripts/tsup-base.ts'

export default defineConfig({
  ...base,
  entry: {
    index: 'src/index.ts',
    'fleet/index': 'src/fleet/index.ts',
    'inbox/index': 'src/inbox/index.ts',
    'sqlite/index': 'src/sqlite/index.ts',
    'postgres/index': 'src/postgres/index.ts',
  },
  format: ['esm', 'cjs'],
  // Drivers are loaded by name when a store opens.
  external: ['libsql', 'pg', 'pg-boss'],
})
