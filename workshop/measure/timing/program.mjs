// One run of one backend: node program.mjs BACKEND SAMPLES SEED. Prints JSON.
import crypto, { createHmac } from 'node:crypto'
import { register } from 'node:module'
import { seeded } from '@webhook-receiver/checks/seeded.mjs'
import { largestT } from './welch.mjs'

const [backend, samples, seed] = process.argv.slice(2)
const isWeb = backend === 'web'
if (isWeb) register('@webhook-receiver/trials/web-backend.mjs', import.meta.url)
// Only now, so that core finds the backend.
const { createReceiver } = await import('@webhook-receiver/core')
const core = import.meta.resolve('@webhook-receiver/core/package.json')
const { mac } = await import(new URL(`dist/mac-${backend}.js`, core).href)

const SECRET = 'whsec_timing'
const TIME = 1_764_000_000
const PREFIX = `${TIME}.`
const DIGITS = '0123456789abcdef'

/** Without a MAC a call takes little time: how many samples it gets for each of the others. */
const SHARE = isWeb ? 1 : 5

/** Calls before the first that counts, so that the code is compiled. */
const WARM_UP = 20_000

/** How many arguments are made at once, so that making one has no effect on the time of its call. */
const BATCH = 500

const random = seeded(Number(seed))
const { body, digest } = chooseDelivery()
const expected = digest.toString('hex')
const key = await mac.importKey(new TextEncoder().encode(SECRET))
const receiver = createReceiver(SECRET, { now: () => TIME * 1000, onRejected: false })
const digitsOf = digitsOfClasses()

/**
 * What is timed: the argument of a class is made outside of the measured time. The MAC takes much longer than the comparison, so that
 * is also measured with a MAC that is known.
 */
const SUBJECTS = [
  {
    name: 'control: two equal classes',
    control: 'within',
    prepare: () => digitsOf(0),
    call: (digits) => digits === expected,
  },
  { name: 'verify, MAC known', replace: knowMac, share: SHARE, call: verify },
  {
    name: 'receive()',
    share: isWeb ? 0.2 : 1,
    prepare: (which) => incomingOf(`sha256=${digitsOf(which)}`),
    call: (incoming) => receiver.receive(incoming).catch(() => false),
  },
  // The last, so that what is measured before has only met the right comparison.
  {
    name: 'control: verify with a leak, MAC known',
    control: 'beyond',
    replace: leak,
    share: SHARE,
    call: verify,
  },
]

const results = []
for (const { name, control, replace, share = 1, prepare = digitsOf, call } of SUBJECTS) {
  const restore = replace?.()
  const { times, classes } = await sample(prepare, call, Math.ceil(samples * share))
  restore?.()
  results.push({ name, control, ...largestT(times, classes) })
}
console.log(JSON.stringify(results))

function verify(digits) {
  return mac.verify(key, PREFIX, body, digits)
}

/** Makes every MAC the digest; returns what restores it. */
function knowMac() {
  const { hash } = crypto
  const { subtle } = globalThis.crypto
  const text = digest.toString('latin1')
  crypto.hash = () => text
  const known = Promise.resolve(Uint8Array.from(digest).buffer)
  Object.defineProperty(subtle, 'sign', { configurable: true, value: () => known })
  return () => {
    crypto.hash = hash
    Reflect.deleteProperty(subtle, 'sign')
  }
}

/** Makes the comparison of each backend one that ends at the first difference. */
function leak() {
  crypto.timingSafeEqual = (left, right) => left.toString('hex') === right.toString('hex')
  mac.equal = endsEarly
  return knowMac()
}

function endsEarly(left, right) {
  for (let index = 0; index < left.length; index++) if (left[index] !== right[index]) return false
  return true
}

/** Times single calls of both classes, in random order. */
async function sample(prepare, call, count) {
  const times = new Float64Array(count)
  const classes = new Uint8Array(count)
  const chosen = new Uint8Array(BATCH)
  const prepared = Array.from({ length: BATCH })
  for (let index = -WARM_UP; index < count; index++) {
    const at = (index + WARM_UP) % BATCH
    if (at === 0) {
      for (let next = 0; next < BATCH; next++) {
        chosen[next] = Math.floor(2 * random())
        prepared[next] = prepare(chosen[next])
      }
    }
    const start = performance.now()
    let accepted = call(prepared[at])
    if (accepted instanceof Promise) accepted = await accepted
    const end = performance.now()
    if (accepted) throw new Error('A forged digest was accepted.')
    if (index < 0) continue
    times[index] = (end - start) * 1e6
    classes[index] = chosen[at]
  }
  return { times, classes }
}

/** A delivery whose digest does not begin with 0, so that the first digit of the wrong one can be another. */
function chooseDelivery() {
  for (;;) {
    const body = Buffer.from(JSON.stringify({ nonce: random() }))
    const digest = createHmac('sha256', SECRET).update(PREFIX).update(body).digest()
    if (digest[0] >= 16) return { body, digest }
  }
}

/**
 * Gives 64 digits of a class: those of class 1 begin like the right ones, those of class 0 do not. The other half is random.
 *
 * Both classes have a fixed first half, and the same statements make each sample of both. If one class were
 * constant and the other random, caches, branch predictors and string tables would treat them differently.
 */
function digitsOfClasses() {
  const right = expected.slice(0, 32)
  // Another digit of the same kind at each place: the time to read one may depend on its kind.
  const wrong = right.replace(/[1-9a-f]/g, (digit) => {
    const kind = (digit < 'a' ? '123456789' : 'abcdef').replace(digit, '')
    return kind[Math.floor(random() * kind.length)]
  })
  // In one buffer: as two strings, one of them a slice, they would make a difference themselves.
  const prefixes = Buffer.from(wrong + right, 'latin1')
  const hex = Buffer.alloc(64)
  return (which) => {
    for (let at = 0; at < 32; at++) hex[at] = prefixes[which * 32 + at]
    for (let at = 32; at < 64; at++) hex[at] = DIGITS.charCodeAt(random() * 16)
    return hex.toString('latin1')
  }
}

function incomingOf(signature) {
  const headers = { 'x-webhook-timestamp': String(TIME), 'x-webhook-signature': signature }
  return { method: 'POST', header: (name) => headers[name], readBody: () => body }
}
