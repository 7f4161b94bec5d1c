const { transformSync } = require('esbuild')

module.exports = {
  process: (source, sourcefile) =>
    transformSync(source, { loader: 'ts', format: 'esm', target: 'node20', sourcefile, sourcemap: 'inline' }),
}
