const check = require('./alone-check.cjs')

check({
  sdk: require('@formwire/sdk'),
  main: require('@formwire/reference-server'),
  testing: require('@formwire/reference-server/testing'),
}).catch((error) => {
  console.error(error)
  process.exitCode = 1
})
