const { setupServer } = require('msw/node')
const check = require('./server-check.cjs')

check({
  sdk: require('@formwire/sdk'),
  main: require('@formwire/reference-server'),
  testing: require('@formwire/reference-server/testing'),
  conformance: require('@formwire/reference-server/conformance'),
  msw: require('@formwire/reference-server/msw'),
  setupServer,
}).catch((error) => {
  console.error(error)
  process.exitCode = 1
})
