// Redis runs each script atomically. KEYS[1] is a sorted set of slots by the instant at which they are free again, KEYS[2] the instant
// until which a 429 blocks the key. ARGV[1] is the time, or empty for that of Redis, which all processes share.

const NOW = `
local now = tonumber(ARGV[1])
local isReal = not now
if isReal then
  local time = redis.call('TIME')
  now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end
local function keep(key, ms)
  if isReal and redis.call('PTTL', key) < ms then redis.call('PEXPIRE', key, math.ceil(ms) + 1000) end
end`

/** ARGV: slot, limit, lease. Returns whether it was taken, the wait, the hold, and the free slots. */
export const TAKE = `${NOW}
local limit = tonumber(ARGV[3])
local lease = tonumber(ARGV[4])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
local used = redis.call('ZCARD', KEYS[1])
local held = math.max(0, tonumber(redis.call('GET', KEYS[2]) or '0') - now)
if held == 0 and used < limit then
  redis.call('ZADD', KEYS[1], string.format('%.3f', now + lease), ARGV[2])
  keep(KEYS[1], lease)
  return { 1, 0, 0, limit - used - 1 }
end
local wait = held
if used >= limit then
  local first = redis.call('ZRANGE', KEYS[1], used - limit, used - limit, 'WITHSCORES')
  -- A request in flight may end now, which frees its slot a minute later.
  wait = math.max(wait, math.min(60000, tonumber(first[2]) - now))
end
return { 0, math.ceil(wait), math.ceil(held), math.max(0, limit - used) }`

/** ARGV: slot. Adds it again if it expired: the request may have arrived late. */
export const END = `${NOW}
redis.call('ZADD', KEYS[1], string.format('%.3f', now + 60000), ARGV[2])
keep(KEYS[1], 60000)
return 1`

/** ARGV: slot, which was not used. */
export const RELEASE = `return redis.call('ZREM', KEYS[1], ARGV[2])`

/** ARGV: milliseconds. */
export const HOLD = `${NOW}
local until_ = now + tonumber(ARGV[2])
if until_ > tonumber(redis.call('GET', KEYS[2]) or '0') then
  redis.call('SET', KEYS[2], string.format('%.3f', until_))
  keep(KEYS[2], tonumber(ARGV[2]))
end
return 1`
