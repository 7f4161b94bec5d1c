const check = require('./sync-check.cjs')

check({
  sdk: require('@formwire/sdk'),
  sync: require('@formwire/sync'),
  sqlite: require('@formwire/sync/sqlite'),
  postgres: require('@formwire/sync/postgres'),
  testing: require('@formwire/reference-server/testing'),
}).catch((error) => {
  console.error(error)
  process.exitCode = 1
})
