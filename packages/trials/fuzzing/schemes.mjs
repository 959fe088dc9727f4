// Draws schemes and requests, has them signed by an independent implementation, and looks for what should not pass.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { readCommandLine, wholeNumber } from '@webhook-receiver/checks/command-line.mjs'
import { isWebhookError } from '@webhook-receiver/core/adapter'
import { defineScheme } from '@webhook-receiver/schemes'
import { seeded } from '../random.mjs'
import { report } from './report.mjs'
import { drawRequest, drawValue } from './schemes/drawn.mjs'

const USAGE = `npm run break -- schemes [options]

Draws schemes, signs requests with Python, and looks for a valid request that is rejected, a changed byte that passes,
two deliveries with one signature and a body that is not covered.

  --schemes N    how many are drawn (200)
  --requests N   for each (20)
  --seed N       chooses them (1)

Exits with 1 if it finds one, or if a kind of change was never tried.`

const { schemes, requests, seed } = readCommandLine(USAGE, {
  schemes: wholeNumber(200),
  requests: wholeNumber(20),
  seed: wholeNumber(1),
})

const random = seeded(seed)
const python = spawn('python3', [fileURLToPath(new URL('schemes/reference.py', import.meta.url))], {
  stdio: ['pipe', 'pipe', 'inherit'],
})
const lines = createInterface({ input: python.stdout })[Symbol.asyncIterator]()
const counts = { signed: 0, valid: 0, unsignable: 0, altered: 0, cut: 0 }
const problems = []
const ambiguous = { said: 0, found: 0 }

for (let number = 0; number < schemes && problems.length < 5; number++) {
  await fuzz(defineScheme(drawValue(random, number)))
}
python.stdin.end()
report({
  head: ['', 'requests'],
  rows: Object.entries(counts).map(([what, count]) => [what, String(count)]),
  run: `seed ${seed}; ${ambiguous.said} of ${schemes} schemes can be cut differently, and ${ambiguous.found} were`,
  problems: [...problems, ...untried()],
  success: 'No change passed, and nothing valid was rejected.',
})

async function fuzz(scheme) {
  const { value } = scheme
  const key = await scheme.importKey(drawRequest(random, value).secret, 'The secret')
  let cut = false
  if (scheme.ambiguous) ambiguous.said++
  for (let turn = 0; turn < requests; turn++) {
    const request = drawRequest(random, value)
    const { headers, content } = await reference(value, request)
    counts.signed++
    const sent = { ...request, headers }
    const outcome = await verify(scheme, key, sent)
    if (outcome === 'unsignable') counts.unsignable++
    else if (outcome !== 'valid') found(scheme, 'a valid request is rejected', sent, outcome)
    else counts.valid++
    await alter(scheme, key, sent, outcome)
    if (outcome !== 'valid') continue
    for (const [other, wanted] of recut(sent, value)) {
      const signed = await reference(value, { ...other, headers: undefined })
      if (signed.content !== content) continue
      counts.cut++
      const again = { ...other, headers: withSignature(value, other, headers) }
      // Where parts can be cut differently, it is shown that they are; elsewhere no such delivery may reach a handler.
      if ((await verify(scheme, key, again, !scheme.ambiguous)) !== 'valid') continue
      cut = true
      if (!scheme.ambiguous)
        found(scheme, `two deliveries with one signature (${wanted})`, sent, other)
    }
  }
  if (cut) ambiguous.found++
}

/** One changed byte of the body, of a signed part or of the signature: none may pass. */
async function alter(scheme, key, sent, outcome) {
  const { value } = scheme
  const { header } = value.signature
  const headers = (change) => ({ ...sent, headers: { ...sent.headers, ...change } })
  const signs = (part) => value.signed.some((one) => one === part || one.header === part)
  const changes = [
    { ...sent, body: changed(sent.body) },
    { ...sent, body: Buffer.concat([sent.body, Buffer.from(signs('form') ? '&q=1' : ' ')]) },
    { ...sent, body: Buffer.alloc(0) },
    headers({ [header]: changed(Buffer.from(sent.headers[header]), 1).toString('latin1') }),
    headers({ [header]: `${sent.headers[header]}0` }),
    ...(signs('x-id') ? [headers({ 'x-id': `${sent.headers['x-id']}0` })] : []),
    ...(signs('url') ? [{ ...sent, url: `${sent.url}0` }] : []),
    ...(signs('timestamp') && sent.headers['x-time']
      ? [headers({ 'x-time': `${Number(sent.headers['x-time']) + 1}` })]
      : []),
  ]
  for (const other of changes) {
    counts.altered++
    if ((await verify(scheme, key, other, false)) !== 'valid') continue
    if (outcome === 'valid' && (await sameDelivery(scheme, sent, other))) continue
    found(scheme, 'a change passes', sent, other)
  }
}

/** A form can be written in several ways: `+` and `%20` are one delivery. */
async function sameDelivery({ value }, left, right) {
  const [header] = [value.signature.header].flat()
  if (left.headers[header] !== right.headers[header]) return false
  const fields = ({ body }) => JSON.stringify([...new URLSearchParams(body.toString())].sort())
  return value.body === 'form' && fields(left) === fields(right)
}

/** The same characters with another end of the id, of the URL or of the body. */
function* recut(sent, value) {
  const text = sent.body.toString('latin1')
  for (const length of [1, 2, 3, 5, 12, 15]) {
    const head = text.slice(0, length)
    const rest = Buffer.from(text.slice(length), 'latin1')
    yield [{ ...sent, id: sent.id + head, body: rest }, 'id takes from the body']
    yield [{ ...sent, url: sent.url + head, body: rest }, 'URL takes from the body']
    const end = text.slice(-length)
    const start = Buffer.from(text.slice(0, -length), 'latin1')
    yield [{ ...sent, id: end + sent.id, body: start }, 'id takes from the end of the body']
  }
  if (sent.id.length > 1) {
    yield [
      { ...sent, id: sent.id.slice(0, -1), body: Buffer.from(sent.id.at(-1) + text, 'latin1') },
      'body takes from the id',
    ]
  }
  if (value.body === 'form')
    yield [{ ...sent, body: Buffer.from(text.replace('=', '%3D='), 'latin1') }, 'a name']
}

function withSignature({ signature, timestamp }, { id, time }, headers) {
  const at = timestamp?.at.header
  return { [signature.header]: headers[signature.header], 'x-id': id, ...(at && { [at]: time }) }
}

/** Without `read` the signature alone. `'valid'`, `'unsignable'` where the head hides where a part ends, or else the reason. */
async function verify(scheme, key, { headers, body, url }, read = true) {
  try {
    const head = scheme.readHead({ method: 'POST', header: (name) => headers[name], url })
    if (!(await scheme.verify(key, head, new Uint8Array(body)))) return 'mismatch'
    if (read) scheme.readBody(new Uint8Array(body), new Set(), head)
    return 'valid'
  } catch (error) {
    if (!isWebhookError(error)) throw error
    if (error.reason === 'envelope_invalid' || error.reason.startsWith('body_')) return error.reason
    return error.reason === 'signature_malformed' ? 'unsignable' : error.reason
  }
}

function changed(bytes, from = 0) {
  const copy = Buffer.from(bytes)
  const at = from + Math.floor(random() * (copy.length - from))
  copy[at] ^= 1 << Math.floor(random() * 3)
  return copy
}

async function reference(value, { headers: _, ...request }) {
  const line = [value, { ...request, body: request.body.toString('base64') }]
  python.stdin.write(`${JSON.stringify(line)}\n`)
  const { value: reply, done } = await lines.next()
  if (done) throw new Error('The reference implementation has ended: see above.')
  return JSON.parse(reply)
}

function found({ value }, what, sent, other) {
  const shown = ({ body, ...rest }) => ({ ...rest, body: body.toString('latin1') })
  const more = typeof other === 'string' ? other : JSON.stringify(shown(other))
  problems.push(`${what}: ${JSON.stringify(value)}\n  ${JSON.stringify(shown(sent))}\n  ${more}`)
}

/** A kind of change that was never tried shows nothing. */
function untried() {
  return Object.entries({ ...counts, 'cut differently': ambiguous.found })
    .filter(([, count]) => count === 0)
    .map(([what]) => `There was no request of the kind "${what}".`)
}
