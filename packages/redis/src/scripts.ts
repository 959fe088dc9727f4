/**
 * The steps of the store. Each is one script over one key, so that nothing comes between its commands
 * and a cluster knows where to run it. The value of the key is `lease:<token>` or `done:<token>`.
 */
export const SCRIPTS = {
  /** ARGV: own lease, milliseconds. Answers 'claimed', 'done' or the milliseconds that another has left. */
  claim: `
local value = redis.call('GET', KEYS[1])
if value and value ~= ARGV[1] then
  if string.sub(value, 1, 5) == 'done:' then return 'done' end
  return redis.call('PTTL', KEYS[1])
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 'claimed'`,

  /** ARGV: own lease, own mark, milliseconds. */
  complete: `
local value = redis.call('GET', KEYS[1])
if value ~= ARGV[1] and value ~= ARGV[2] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return 1`,

  /** ARGV: own lease. */
  release: `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])`,

  /** ARGV: own lease, milliseconds. */
  extend: `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])`,
} as const
