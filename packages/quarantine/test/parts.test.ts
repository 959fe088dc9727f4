import { expect, test } from 'vitest'
import { makeEntry, readEntry, shortHash } from '../src/entry.ts'
import { createRate } from '../src/rate.ts'
import { sourceOf } from '../src/source.ts'
import { createTurns } from '../src/turns.ts'
import { seeded } from './random.ts'

test('the name of a file tells all of its entry', () => {
  const entry = makeEntry(
    { at: 1_769_860_800_005, pool: 'reserve', rank: 2, source: '0a1b2c3d', digest: 'f'.repeat(32) },
    5000,
  )
  expect(entry.blocks).toBe(2)
  expect(readEntry(entry.name)).toEqual(entry)
  expect(readEntry('2026-01-31T12-00-00.000Z-000001-0a1b2c3d.json')).toBeUndefined()
  expect(readEntry('.senders.json')).toBeUndefined()
})

test.each([
  [undefined, 'unknown'],
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:192.168.100.200', '192.168.100.200'],
  ['::ffff:c0a8:64c8', '192.168.100.200'],
  ['::ffff:192.0.2.1%eth0', '192.0.2.1'],
  ['::ffff:192.0.2.1x', '::ffff:192.0.2.1x'],
  ['::fffe:192.0.2.1', '0:0:0:0'],
  ['::192.0.2.1', '0:0:0:0'],
  ['1::ffff:192.0.2.1', '1:0:0:0'],
  ['1:2::3:4:5:192.0.2.1', '1:2:0:3'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:DB8::1', '2001:db8:0:0'],
  ['2001:0db8:0001:0002::', '2001:db8:1:2'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['::1', '0:0:0:0'],
  ['::', '0:0:0:0'],
  ['no address', 'no address'],
])('the source of %s is %s', (address, source) => {
  expect(sourceOf(address)).toBe(source)
})

test('every spelling of an IPv6 address has the source of its first 64 bits', () => {
  const random = seeded(3)
  const pick = <Value>(...values: readonly Value[]) => values[random(values.length)] as Value
  for (let round = 0; round < 2000; round++) {
    const groups = Array.from({ length: 8 }, () => pick(0, 0, 1, 0xffff, random(65_536)))
    // An IPv4 address in IPv6 has a source of its own.
    groups[random(5)] = 1 + random(65_535)
    const texts = groups.map((group) => {
      const hex = group.toString(16).padStart(pick(1, 4), '0')
      return pick(hex, hex.toUpperCase())
    })
    const [high = 0, low = 0] = groups.slice(6)
    const dotted = [high >> 8, high & 255, low >> 8, low & 255].join('.')
    const parts = pick(texts, [...texts.slice(0, 6), dotted])
    // One run of zeros may be left out.
    const start = random(6)
    const length = [1, 2, 3].filter((many) =>
      groups.slice(start, Math.min(start + many, 6)).every((group) => group === 0),
    ).length
    const address =
      length === 0 || start + length > 6
        ? parts.join(':')
        : `${parts.slice(0, start).join(':')}::${parts.slice(start + length).join(':')}`
    const source = groups.slice(0, 4).map((group) => group.toString(16))
    expect([address, sourceOf(address + pick('', '%eth0'))]).toEqual([address, source.join(':')])
  }
})

test('hashes of parts differ where the parts end elsewhere', () => {
  expect(shortHash(32, 'a', 'bc')).not.toBe(shortHash(32, 'ab', 'c'))
  expect(shortHash(8, 'a')).toMatch(/^[0-9a-f]{8}$/)
})

test('one sender gets half of the permits, and leaves the other half', () => {
  const take = createRate(10)
  const taken = (source: string, group = 'main 0') =>
    Array.from({ length: 200 }, () => take(group, source, 0)).filter(Boolean).length
  expect(taken('flood')).toBe(50)
  expect(taken('genuine')).toBe(25)
  expect(taken('flood')).toBe(0)
  expect(taken('flood', 'main 1')).toBe(50)
})

test('permits come back when the window is over, and when the clock is set back', () => {
  const take = createRate(0.1)
  expect([take('g', 'a', 0), take('g', 'a', 9999), take('g', 'a', 10_000)]).toEqual([
    true,
    false,
    true,
  ])
  expect(take('g', 'a', 5000)).toBe(true)
})

test('so many run at the same time, and a failure gives its place to the next', async () => {
  const takeTurn = createTurns(2)
  let [running, most, done] = [0, 0, 0]
  const work = async () => {
    running += 1
    most = Math.max(most, running)
    await new Promise((resolve) => setImmediate(resolve))
    running -= 1
    done += 1
    if (done % 2) throw new Error('failed')
  }
  const all = await Promise.allSettled(Array.from({ length: 9 }, () => takeTurn(work)))
  expect(all.filter(({ status }) => status === 'rejected')).toHaveLength(5)
  expect([most, done]).toEqual([2, 9])
})
