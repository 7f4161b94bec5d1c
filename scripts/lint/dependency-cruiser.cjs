/**
 * What may import what. Fails when files or folders of a package import each other in a circle, types included (none of them can
 * then be read, tested or moved alone), and when one imports what is above it.
 */

/** Packages, and those that each may import. Internal is bundled into the others; webhook-verify takes types of the contract alone. */
const PACKAGES = {
  contract: [],
  internal: [],
  'webhook-verify': ['internal', 'contract'],
  sdk: ['internal', 'contract'],
  // The SDK and the CLI are above it.
  'reference-server': ['internal', 'contract', 'webhook-verify', 'console'],
  // Takes events by their shape, so that it needs no verifier.
  sync: ['internal', 'contract', 'sdk'],
}

/** Folders of the reference server, from the lowest one, and why each knows none of those above. */
const SERVER_LAYERS = {
  collections: 'A collection knows nothing of forms, deliveries or time.',
  domain: 'The domain is pure: state, command and time in, events or a refusal out.',
  policy: 'A policy is pure: facts in, allowed or denied out.',
  clock: 'The clock is below the store: it wakes callers and knows none of them.',
  store: 'The store holds records; what is done with them belongs to the services above it.',
  delivery: 'The engine is called by services; it reports by events and never calls them.',
  services: 'A service works without a request: HTTP and the control API call it, never the other way round.',
  http: 'The API and its transports know neither the control API nor the public form, which are mounted beside it.',
}
const PURE = '(?:collections|domain|policy)'
const SERVER = '^packages/reference-server/src/'
const TOP = 'pull/|rehearsal/|seed/|testing/|conformance/|bin/|server/|server\\.ts|options\\.ts|bin\\.ts'
const MOUNTED = 'public-form/|control/|console/|receiver/|app\\.ts'

/** Libraries, and the only files that import them: nothing else loads them, or costs their install. */
const LIBRARIES = [
  ['contract', 'zod', 'schemas(?:\\.ts|/)', 'The types and tables cost no dependency.'],
  ['sdk', 'zod', 'validate\\.ts', 'The core has no dependency but the contract.'],
  ['sdk', 'undici', 'undici\\.ts', 'The core looks up globalThis.fetch at call time.'],
  ['sdk', 'redis', '(?:checkpoint|budget)/redis\\.ts', 'Who needs it imports these entry points.'],
  ['cli', 'ink|@inkjs/ui|react', '(?:ui|pickers)/', 'Loaded by import(), only for a live view or a picker.'],
  ['cli', '@modelcontextprotocol/.*', 'mcp/', 'Loaded by import(), by formwire mcp alone.'],
]

/** Files of the CLI that run a server; every other command starts without it. */
const RUN_A_SERVER =
  '(?:commands/(?:serve|conformance)(?:\\.ts|/)|mcp/|rehearse/|seed/|submit/public-link\\.ts)'

const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to })
const layers = Object.keys(SERVER_LAYERS)

module.exports = {
  forbidden: [
    rule('no-circle-of-files', undefined, {}, { circular: true }),
    { name: 'no-circle-of-folders', severity: 'error', scope: 'folder', from: {}, to: { circular: true } },
    ...Object.entries(PACKAGES).map(([name, below]) =>
      rule(
        `${name}-imports-what-is-below-it`,
        `It may import ${below.join(', ') || 'no other package'}.`,
        // Pull takes any client of the SDK's shape, but for one file.
        { path: `^packages/${name}/src/`, pathNot: `${SERVER}pull/pull-from\\.ts$` },
        { path: '^packages/', pathNot: `^packages/(?:${[name, ...below].join('|')})/` },
      ),
    ),
    rule(
      'pull-takes-the-sdk-in-one-file',
      'The rest of pull takes any client of its shape.',
      { path: `${SERVER}pull/pull-from\\.ts$` },
      { path: '^packages/(?!sdk/|reference-server/|internal/)' },
    ),
    rule(
      'schemas-stay-behind-their-entry-point',
      'They load zod.',
      { path: '^packages/(?:webhook-verify|sdk)/src/', pathNot: '^packages/sdk/src/validate\\.ts$' },
      { path: '^packages/contract/src/schemas' },
    ),
    ...LIBRARIES.map(([name, library, files, comment]) =>
      rule(
        `${name}-keeps-${library.match(/\w+/)[0]}-in-its-place`,
        comment,
        { path: `^packages/${name}/src/`, pathNot: `^packages/${name}/src/${files}` },
        { path: `(?:^|/)node_modules/(?:${library})/`, dynamic: false },
      ),
    ),
    rule(
      'commands-start-without-a-server',
      'Only those that run one load it, by import() inside their action.',
      { path: '^packages/cli/src/', pathNot: `^packages/cli/src/${RUN_A_SERVER}` },
      {
        path: '^packages/reference-server/',
        dynamic: false,
        dependencyTypesNot: ['type-only', 'type-import'],
      },
    ),
    ...layers.map((layer, index) =>
      rule(
        `server-${layer}-knows-no-layer-above`,
        SERVER_LAYERS[layer],
        { path: `${SERVER}${layer}/` },
        {
          path: `${SERVER}(?:${layers
            .slice(index + 1)
            .map((above) => `${above}/|`)
            .join('')}${MOUNTED}|${TOP})`,
        },
      ),
    ),
    rule(
      'server-pure-layers-take-what-they-need-as-arguments',
      'No built-in module but crypto: sockets, files and the context stay outside; time, ids and randomness arrive as arguments.',
      { path: `${SERVER}${PURE}/` },
      { pathNot: '^packages/(?!reference-server/src/context\\.ts)|^crypto$|/ipaddr\\.js/' },
    ),
    rule(
      'server-control-knows-no-public-form',
      'The server mounts them side by side.',
      { path: `${SERVER}control/` },
      { path: `${SERVER}(?:public-form/|${TOP})` },
    ),
    rule(
      'server-public-form-knows-no-control',
      'As above.',
      { path: `${SERVER}public-form/` },
      { path: `${SERVER}(?:${MOUNTED}|${TOP})`, pathNot: `${SERVER}public-form/` },
    ),
  ],
  options: {
    includeOnly: '^packages/[^/]+/src/|node_modules|^(?:node:)?[\\w/]+$',
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { conditionNames: ['@formwire/source', 'import'], exportsFields: ['exports'] },
  },
}
