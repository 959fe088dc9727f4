import {
  expectClaim,
  expectNext,
  expectResult,
  freshKey,
  freshToken,
  LONG,
  type StoreCheck,
} from './context.ts'

/** The rules for keys that a store may take for one another. */
export const keyChecks: readonly StoreCheck[] = [
  {
    name: 'tells keys apart that look alike, with any characters in them',
    async run({ store, other }) {
      const keys = oddEndings.map((ending) => freshKey().slice(0, 20) + ending)
      // In order, so that a key that is taken for an earlier one is found.
      for (const key of keys) {
        const token = freshToken()
        const shown = JSON.stringify(key)
        await expectClaim(store.claim(key, token, LONG), 'claimed', `while ${shown} is free`)
        await expectResult(other.complete(key, token), true, `complete of ${shown}`)
        await expectNext(other, key, 'done', `after complete of ${shown}`)
      }
    },
  },
  {
    name: 'tells very long keys apart by their last character',
    async run({ store, other }) {
      // Nothing that an index could compress to fit.
      const long = Array.from({ length: 60 }, freshKey).join('').slice(0, 1999)
      const [a, b] = [`${long}a`, `${long}b`]
      const [token, second] = [freshToken(), freshToken()]
      await expectClaim(store.claim(a, token, LONG), 'claimed', 'while a long key is free')
      await expectClaim(other.claim(b, second, LONG), 'claimed', 'while another long key is free')
      await expectResult(other.complete(a, token), true, 'complete of a long key')
      await expectNext(store, a, 'done', 'after complete of a long key')
      await expectNext(store, b, 'in_progress', 'of the other long key')
    },
  },
]

/** No NUL and no half of a surrogate pair: PostgreSQL and UTF-8 have no place for them. */
const oddEndings = [
  'id',
  'ID',
  'id ',
  ' id',
  'id:1',
  'id::1',
  'id%3A1',
  'id\n',
  'id\t',
  "id'; --",
  'id"',
  'id\\',
  'id\\n',
  '{id}',
  '{other}',
  '*',
  '?',
  'i*',
  'i[cd]',
  '%',
  'i_',
  '$1',
  '../id',
  '__proto__',
  'constructor',
  '\u00e9',
  'e\u0301',
  '\u{1f44b}\u{1f3fd}',
  '\u2028',
  '\u0130',
  '\u00df',
  'ss',
]
