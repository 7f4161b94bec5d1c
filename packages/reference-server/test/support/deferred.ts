/** A promise, and the function that resolves it: `Promise.withResolvers`, which Node 20 does not have. */
export function deferred<Value = void>() {
  let resolve: (value: Value) => void = () => undefined
  const promise = new Promise<Value>((given) => {
    resolve = given
  })
  return { promise, resolve }
}
