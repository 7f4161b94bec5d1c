/**
 * Whether a host, as `URL` writes it, is this machine: `localhost` or an address. Not a name below `localhost`, which a resolver may send
 * elsewhere.
 */
export const isLoopbackHost = (host: string): boolean =>
  /^(?:localhost|\[::1\]|127(?:\.\d{1,3}){3})$/.test(host)

/** Whether plain http to a host is allowed (ENV-10): loopback, names below `localhost`, and the name of an in-process server. */
export const isPlainHttpHost = (host: string): boolean =>
  isLoopbackHost(host) || /.\.localhost$/.test(host) || host === 'formwire.test'
