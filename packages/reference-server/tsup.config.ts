import { defineConfig } from 'tsup'
import { base } from '../../scripts/tsup-base.ts'

export default defineConfig({
  ...base,
  entry: {
    index: 'src/index.ts',
    'http/msw': 'src/http/msw.ts',
    'testing/index': 'src/testing/index.ts',
    'conformance/index': 'src/conformance/index.ts',
    bin: 'src/bin.ts',
  },
  format: ['esm'],
  // ESM files share chunks: the doors see one and the same class.
  splitting: true,
})
