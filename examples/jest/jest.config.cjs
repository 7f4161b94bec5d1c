// A project that uses the published packages needs only the first line; the rest lets jest load this repository's sources.
module.exports = {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/test/*.spec.ts'],
  testEnvironmentOptions: { customExportConditions: ['@formwire/source', 'node', 'node-addons'] },
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/esbuild-transform.cjs' },
}
