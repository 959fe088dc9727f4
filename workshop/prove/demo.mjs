// Starts the four examples, each as a separate process, sends them deliveries that this library did not sign, and shows the
// responses.
import { setTimeout as delay } from 'node:timers/promises'
import { startExample } from './example.mjs'
import { FRAMEWORKS } from './lists.mjs'
import { stopPrograms } from './program.mjs'
import { createDelivery, randomSecret, signedRequest } from './signing.mjs'
import { send } from './wire.mjs'

/** The receivers' default limit, in bytes. */
const LIMIT = 1_048_576

const HOUR = 3_600_000

/** How long a line that should not be there is given to appear, in milliseconds. */
const SETTLING_TIME = 200

const secret = randomSecret()

const requests = [
  { name: 'message.received', status: 204, ...signed('Is <b>Müller & Söhne</b> open? 👩🏽‍🔧') },
  { name: 'message.sent', status: 204, ...signed('On our way 🚚', { event: 'message.sent' }) },
  { name: 'forged', status: 401, ...signed('Is it open?', { key: randomSecret() }) },
  { name: 'an hour old', status: 401, ...signed('Is it open?', { time: Date.now() - HOUR }) },
  {
    name: 'tampered after signing',
    status: 401,
    ...tampered(signed('Is it open?'), 'open', 'shut'),
  },
  { name: 'over the limit', status: 413, ...signed('x'.repeat(LIMIT)) },
]

console.error(`Starting ${FRAMEWORKS.join(', ')} …`)
const applications = await Promise.all(FRAMEWORKS.map((name) => startExample(name, { secret })))
const seen = []
for (const request of requests)
  seen.push(await Promise.all(applications.map(({ port }) => send(port, request))))
await delay(SETTLING_TIME)
const printed = applications.map(({ output }) => output().stdout)
await stopPrograms()

let right = 0
const rows = requests.map(({ name, status, delivery }, row) => {
  const cells = seen[row].map(({ outcome }, at) => {
    const runs = printed[at].split(delivery.id).length - 1
    const isRight = outcome === status && runs === (status === 204 ? 1 : 0)
    if (isRight) right++
    return `${isRight ? '✓' : '✗'} ${outcome}, ${runs === 0 ? 'not ' : ''}handled`
  })
  return [name, ...cells]
})
const all = rows.length * FRAMEWORKS.length
console.log('Signed with node:crypto, not with this library:\n')
for (const row of [['', ...FRAMEWORKS], ...rows])
  console.log(
    row
      .map((text) => text.padEnd(24))
      .join('')
      .trimEnd(),
  )
console.log(`\n${right === all ? '✓' : '✗'} ${right} of ${all} as expected`)
if (right < all) process.exitCode = 1
else console.log('In your project: npx webhook-receiver add stripe')

function signed(text, { event = 'message.received', time = Date.now(), key = secret } = {}) {
  return signedRequest(key, createDelivery(event, { text }, time), time)
}

/** The length stays. */
function tampered(request, word, other) {
  return { ...request, body: Buffer.from(request.body.toString().replace(word, other)) }
}
