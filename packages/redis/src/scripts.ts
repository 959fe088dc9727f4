export type Step = 'claim' | 'complete' | 'release' | 'extend' | 'forget'

export interface Script {
  readonly sha1: string
  readonly text: string
}

/**
 * The steps of the store. Each is one script over one key, so that nothing comes between its commands
 * and a cluster knows where to run it. The value of the key is `lease:<token>` or `done:<token>`.
 *
 * `sha1` is the SHA-1 of the text, by which Redis knows a script that it has run before. A test computes it.
 */
export const SCRIPTS: Readonly<Record<Step, Script>> = {
  /** For a key that is there. ARGV: token, milliseconds. Returns 'claimed', 'done' or the milliseconds that another has left. */
  claim: script(
    '07ce38978e34d46f3d9cef5d0dda448b3f55e13c',
    `
local lease = 'lease:' .. ARGV[1]
local value = redis.call('GET', KEYS[1])
if value and value ~= lease then
  if string.sub(value, 1, 5) == 'done:' then return 'done' end
  return redis.call('PTTL', KEYS[1])
end
redis.call('SET', KEYS[1], lease, 'PX', ARGV[2])
return 'claimed'`,
  ),
  /** ARGV: token, milliseconds. */
  complete: script(
    '09c1d6289578e20795b49dd72fef16e745896b99',
    `
local value = redis.call('GET', KEYS[1])
if value ~= 'lease:' .. ARGV[1] and value ~= 'done:' .. ARGV[1] then return 0 end
redis.call('SET', KEYS[1], 'done:' .. ARGV[1], 'PX', ARGV[2])
return 1`,
  ),
  /** ARGV: token. */
  release: script(
    'a881a0995d5e42795f8c7fbfc86eee9be5338b2d',
    `
if redis.call('GET', KEYS[1]) ~= 'lease:' .. ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])`,
  ),
  /** ARGV: token, milliseconds. */
  extend: script(
    'aac8488262d71b3fbb8c8e45b7d7d97fd828650b',
    `
if redis.call('GET', KEYS[1]) ~= 'lease:' .. ARGV[1] then return 0 end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])`,
  ),
  forget: script(
    '0f2912fd249a7f1fd32673176ca25ec7f5ec6cc0',
    `
local value = redis.call('GET', KEYS[1])
if not value or string.sub(value, 1, 5) ~= 'done:' then return 0 end
return redis.call('DEL', KEYS[1])`,
  ),
}

function script(sha1: string, text: string): Script {
  return { sha1, text }
}
