import { defineConfig } from 'tsup'
import { base } from '../../scripts/tsup-base.ts'

export default defineConfig({
  ...base,
  entry: {
    bin: 'src/bin.ts',
  },
  format: ['esm'],
  // One code-split bundle: a command loads what it needs and nothing else.
  splitting: true,
  dts: false,
})
