// Runs a check with the ES modules of the packages.
const { check } = await import(`./${process.argv[2]}`)
await check((name) => import(name))
