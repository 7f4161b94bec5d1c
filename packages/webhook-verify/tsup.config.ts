import { fileURLToPath } from 'node:url'
import { defineConfig } from 'tsup'
import { copySkill } from '../../scripts/project/package-skills.ts'
import { base } from '../../scripts/tsup-base.ts'

export default defineConfig({
  ...base,
  onSuccess: copySkill('webhook-verify'),
  entry: {
    index: 'src/index.ts',
    web: 'src/web.ts',
    'adapters/node': 'src/adapters/node.ts',
    'adapters/fetch': 'src/adapters/fetch.ts',
    'adapters/express': 'src/adapters/express.ts',
    'adapters/fastify': 'src/adapters/fastify.ts',
    'adapters/hono': 'src/adapters/hono.ts',
    'adapters/koa': 'src/adapters/koa.ts',
    'adapters/next': 'src/adapters/next.ts',
    'adapters/lambda': 'src/adapters/lambda.ts',
    'dedupe/index': 'src/dedupe/index.ts',
    'dedupe/postgres': 'src/dedupe/postgres.ts',
    'dedupe/redis': 'src/dedupe/redis.ts',
    testing: 'src/testing.ts',
  },
  format: ['esm', 'cjs'],
  // For CommonJS too, so that all entry points share one copy of common code.
  splitting: true,
  // Inlines the wire types from their sources, so that the published package has no dependency. From the contract's build,
  // only its index would be inlined, not the chunks it imports.
  dts: {
    compilerOptions: {
      ...base.dts.compilerOptions,
      paths: {
        ...base.dts.compilerOptions.paths,
        '@formwire/contract': [fileURLToPath(new URL('../contract/src/index.ts', import.meta.url))],
      },
    },
  },
})
