import { defineConfig } from 'tsup'
import { base } from '../../scripts/tsup-base.ts'

const typed = {
  index: 'src/index.ts',
  'schemas/control': 'src/schemas/control.ts',
  schemas: 'src/schemas.ts',
}

export default defineConfig({
  ...base,
  entry: { ...typed, control: 'src/control.ts' },
  // The types of `control` are written by scripts/control-types.ts.
  dts: { ...base.dts, entry: typed },
  format: ['esm', 'cjs'],
})
