import { defineConfig } from 'tsup'
import { base } from '../../scripts/tsup-base.ts'

export default defineConfig({
  ...base,
  entry: {
    index: 'src/index.ts',
    control: 'src/control.ts',
    'schemas/control': 'src/schemas/control.ts',
    schemas: 'src/schemas.ts',
  },
  format: ['esm', 'cjs'],
})
