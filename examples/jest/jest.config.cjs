// What a project with published packages needs is the first line; the rest lets jest read this repository's sources.
module.exports = {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/test/*.spec.ts'],
  testEnvironmentOptions: { customExportConditions: ['@formwire/source', 'node', 'node-addons'] },
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/esbuild-transform.cjs' },
}
