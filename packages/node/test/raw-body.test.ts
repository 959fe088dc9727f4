import { once } from 'node:events'
import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { upTo } from '@webhook-receiver/core/adapter'
import rawBody from 'raw-body'
import { expect, test } from 'vitest'
import { readBody } from '../src/body.ts'
import { type BodyPlan, drawPlan, LIMITS, oneOf } from './body-plan.ts'

/** Where raw-body does something else, and we do not on purpose: docs/decisions/0004. */
const DIFFERENCES: readonly Difference[] = [
  {
    reason: 'core compares the Content-Length with the limit before it reads a body',
    theirs: 'too large',
    when: ({ declared = 0, limit }) => declared > limit,
  },
  {
    reason: 'the signature covers the bytes, and Node holds a sender to the length',
    theirs: 'another length',
    when: ({ declared, body }) => declared !== body.length,
  },
  {
    reason: 'it is not the fault of the receiver that the sender has gone',
    theirs: 'not readable',
    when: (_, end) => end === 'gone',
  },
  {
    reason: 'a destroyed stream is rejected at once, also without the event `aborted`',
    theirs: 'nothing',
    when: (_, end) => end === 'destroyed',
  },
  {
    reason: 'nobody else resumes a request that something in front has paused',
    theirs: 'nothing',
    when: (_, end) => end === 'paused',
  },
]

/** What is compared, by the reason of our error and the type of theirs. */
const OUTCOMES = new Map([
  ['body_too_large', 'too large'],
  ['entity.too.large', 'too large'],
  ['body_incomplete', 'aborted'],
  ['request.aborted', 'aborted'],
  ['body_already_read', 'decoded'],
  ['stream.encoding.set', 'decoded'],
  ['stream.not.readable', 'not readable'],
  ['request.size.invalid', 'another length'],
])

test('reads a body as raw-body does, but for the listed differences', async () => {
  const reached = new Set<string>()
  const differences = new Set<Difference>()
  const unexplained: object[] = []
  for (let seed = 1; seed <= 300; seed++) {
    const plan = drawPlan(seed)
    const { end, outcomeOf } = streamOf(plan)
    const ours = await outcomeOf(byUs)
    const theirs = await outcomeOf(byRawBody)
    reached.add(`${plan.limit}: ${ours}`)
    if (plan.chunks.length >= plan.limit) reached.add(`${plan.limit}: tiny chunks`)
    if (ours === theirs) continue
    const difference = DIFFERENCES.find((known) => known.theirs === theirs && known.when(plan, end))
    if (difference) differences.add(difference)
    else unexplained.push({ seed, end, ours, theirs })
  }
  expect(unexplained).toEqual([])
  expect(reached).toEqual(EVERYTHING)
  expect(differences).toEqual(new Set(DIFFERENCES))
})

/** Each outcome with each limit, and bodies of one-byte chunks. A weak generator would leave some of it out. */
const EVERYTHING = new Set(
  LIMITS.flatMap((limit) =>
    ['aborted', 'bytes', 'decoded', 'too large', 'tiny chunks'].map((what) => `${limit}: ${what}`),
  ),
)

const byUs: Read = async (stream, { limit }) =>
  (await Reflect.apply(readBody, undefined, [stream, { ...upTo(limit), timeout: 600 }])).take()

const byRawBody: Read = (stream, { limit, declared }) =>
  rawBody(stream, { limit, length: declared ?? null })

/** A bare stream, as emulations of a server have it. Some chunks are there before it is read. */
function streamOf(plan: BodyPlan) {
  const { draw, chunks, body, declared } = plan
  const end = oneOf(['whole', 'whole', 'whole', 'paused', 'gone', 'destroyed', 'failed'], draw)
  const early = draw(chunks.length + 1)
  const last = end === 'whole' || end === 'paused' ? chunks.length : draw(chunks.length + 1)
  const pause = 1 + draw(chunks.length + 1)
  const outcomeOf = async (read: Read) => {
    const headers = { 'content-length': declared?.toString() }
    const stream = Object.assign(new Readable({ read() {} }), { headers }).on('error', () => {})
    if (plan.decoded) stream.setEncoding('utf8')
    for (const chunk of chunks.slice(0, early)) stream.push(chunk)
    if (end === 'paused') stream.pause()
    if (end === 'gone') await once(stream.destroy(), 'close')
    let outcome = 'nothing'
    describeOutcome(read(stream, plan), body).then((found) => {
      outcome = found
    })
    for (const [index, chunk] of chunks.slice(early, last).entries()) {
      if (index % pause === 0) await turn()
      stream.push(chunk)
    }
    if (end === 'destroyed') stream.destroy()
    else if (end === 'failed') stream.destroy(new Error('request.aborted'))
    else stream.push(null)
    // Nothing is outside of this process, so a few turns are all that it can take.
    for (let turns = 0; turns < 5; turns++) await turn()
    return outcome === 'too large' && !stream.isPaused() ? 'too large, still flowing' : outcome
  }
  return { end, outcomeOf }
}

function describeOutcome(reading: Promise<Uint8Array>, body: Uint8Array): Promise<string> {
  return reading.then(
    (bytes) => (Buffer.compare(bytes, body) === 0 ? 'bytes' : 'other bytes'),
    ({ reason, type, message }) => OUTCOMES.get(reason ?? type ?? message) ?? message,
  )
}

interface Difference {
  readonly reason: string
  /** What raw-body does. */
  readonly theirs: string
  when(plan: BodyPlan, end: string): boolean
}

type Read = (stream: Readable, plan: BodyPlan) => Promise<Uint8Array>
