// Runs a check with the CommonJS modules of the packages. If it rejects, the process fails.
void import(`./${process.argv[2]}`).then(({ check }) => check(async (name) => require(name)))
