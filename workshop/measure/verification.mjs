import { createReceiver } from '@webhook-receiver/core'
import { LIBRARIES } from './libraries.mjs'
import { collect } from './memory.mjs'
import { SECRET, sizeText } from './messages.mjs'
import { verifyPlain } from './plain.mjs'
import { forged, requestOf } from './services.mjs'
import { interleaved, relative } from './statistics.mjs'

const [SMALL, LARGE] = [1024, 65_536]

const receiver = createReceiver(SECRET, { onRejected: false })

/** Each verifies a body and parses it. */
const SUBJECTS = {
  plain: { load: () => verifyPlain },
  control: { load: () => verifyPlain },
  'receive()': { load: () => (body, headers) => receiver.receive(incomingOf(body, headers)) },
  'receiveRequest()': {
    takesRequest: true,
    load: () => (request) => receiver.receiveRequest(request),
  },
  ...LIBRARIES,
}

/** The CPU time of a delivery relative to plain node:crypto and JSON.parse, and relative to other libraries. */
export async function measure(rounds) {
  const small = await samplesOf(SMALL, rounds)
  const large = await samplesOf(LARGE, rounds)
  const plain = 'plain `node:crypto` and `JSON.parse`'
  return [
    [`receive(), ${sizeText(SMALL)}`, plain, relative(small, 'receive()')],
    [`receive(), ${sizeText(LARGE)}`, plain, relative(large, 'receive()')],
    ...Object.keys(LIBRARIES)
      .filter((name) => small[name])
      .map((name) => [
        `receive(), ${sizeText(SMALL)}`,
        `\`${name}\``,
        relative(small, LIBRARIES[name].takesRequest ? 'receiveRequest()' : 'receive()', name),
      ]),
  ]
}

async function samplesOf(size, rounds) {
  const samplers = {}
  for (const [name, subject] of Object.entries(SUBJECTS)) {
    const verify = await Promise.resolve(subject.load()).catch(({ message }) =>
      console.error(`${name} does not load: ${message.split('\n')[0]}`),
    )
    if (verify) samplers[name] = await samplerOf(await callOf(name, { ...subject, verify }, size))
  }
  return interleaved(samplers, rounds)
}

/** What is measured, and what it takes, made before its time is taken. It must reject another body with the same signature. */
async function callOf(name, { verify, takesRequest, service = 'default' }, size) {
  const { headers, body } = await requestOf(service, size)
  const inputs = (bytes) =>
    takesRequest
      ? [new Request('http://localhost/', { method: 'POST', body: bytes, headers })]
      : [bytes, headers]
  const accepts = async (bytes) => Boolean(await verify(...inputs(bytes)))
  if (!(await accepts(body))) throw new Error(`${name} rejects what is valid.`)
  if (await accepts(forged({ body }).body).catch(() => false))
    throw new Error(`${name} accepts a forged body.`)
  // Only a Request is used up: others must not make garbage.
  const same = inputs(body)
  return { inputs: () => (takesRequest ? inputs(body) : same), call: (input) => verify(...input) }
}

/** What an adapter gives to `receive()`. */
export function incomingOf(body, headers) {
  return { method: 'POST', header: (name) => headers[name], readBody: () => body }
}

/** The CPU time of a block, in microseconds. */
const BLOCK = 10_000

/** A block of fewer calls says more about the garbage of the last one than about itself. */
const LEAST = 4

/**
 * Returns a function that measures a call: its CPU time in nanoseconds, in all threads of this process,
 * so that other processes do not count. A block begins with an empty young generation and ends with the
 * collection of the garbage that it makes.
 */
async function samplerOf({ inputs, call }) {
  const waits = call(inputs()) instanceof Promise
  let calls = LEAST
  // Until the code is compiled and the number of calls fits the block.
  for (let warm = 0; warm < 12; warm++) await sample()
  return sample

  async function sample() {
    const each = await block(calls)
    // With blocks of one length, the fixed cost of a collection is the same part of each.
    calls = Math.min(20_000, 2 * calls, Math.max(LEAST, Math.round((BLOCK * 1000) / each)))
    return each
  }

  async function block(count) {
    const prepared = Array.from({ length: count }, inputs)
    collect({ type: 'minor' })
    const before = process.cpuUsage()
    // Only a promise is awaited.
    if (waits) for (const input of prepared) await call(input)
    else for (const input of prepared) call(input)
    collect({ type: 'minor' })
    const { user, system } = process.cpuUsage(before)
    return ((user + system) * 1000) / count
  }
}
