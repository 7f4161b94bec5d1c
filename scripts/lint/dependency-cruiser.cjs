/** Fails when files or folders of a package import each other in a circle, types included: none of them can then be read, tested or moved alone. */
module.exports = {
  forbidden: [
    { name: 'no-circle-of-files', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-circle-of-folders', severity: 'error', scope: 'folder', from: {}, to: { circular: true } },
  ],
  options: {
    includeOnly: '^packages/[^/]+/src/',
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { conditionNames: ['@formwire/source', 'import'], exportsFields: ['exports'] },
  },
}
