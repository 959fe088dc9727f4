// Draws schemes and requests, has them signed by an independent implementation, and looks for what should not pass.
import { readCommandLine, wholeNumber } from '@webhook-receiver/checks/command-line.mjs'
import { startPython } from '@webhook-receiver/checks/python.mjs'
import { isWebhookError } from '@webhook-receiver/core/adapter'
import { defineScheme } from '@webhook-receiver/schemes'
import fc from 'fast-check'
import { contents, formOf, requestOf, schemeValues, secretOf } from './drawn-schemes.mjs'

const { schemes, seed } = readCommandLine(
  'break -- schemes',
  `Draws schemes, signs requests with Python, and looks for a valid request that is rejected, a changed byte that passes, two deliveries
with one signature and a body that is not covered. Exits with 1 if it finds one, or if a kind of change was never tried.`,
  {
    schemes: wholeNumber(200, 'how many are drawn'),
    seed: wholeNumber(1, 'chooses them'),
  },
)

const python = startPython(
  new URL(import.meta.resolve('@webhook-receiver/checks/judges/reference.py')),
)
const counts = { signed: 0, valid: 0, unsignable: 0, altered: 0, cut: 0, 'cut, and ambiguous': 0 }

const result = await fc.check(
  fc.asyncProperty(
    schemeValues,
    fc.array(contents, { minLength: 1, maxLength: 20, size: 'max' }),
    async (value, list) => {
      const scheme = defineScheme(value)
      const key = await scheme.importKey(secretOf(value), 'The secret')
      for (const content of list) await attack(scheme, key, content)
    },
  ),
  { numRuns: schemes, seed, includeErrorInReport: true },
)
python.end()
console.table(counts)
console.log(`\nNode ${process.versions.node}, seed ${seed}, ${result.numRuns} schemes`)
// A kind of change that was never tried shows nothing.
const untried = Object.keys(counts).filter((what) => counts[what] === 0)
if (result.failed) console.log(await fc.asyncDefaultReportMessage(result))
else if (untried.length > 0) console.log(`There was no request of the kind "${untried}".`)
else console.log('No change passed, and nothing valid was rejected.')
if (result.failed || untried.length > 0) process.exitCode = 1

async function attack(scheme, key, content) {
  const { value } = scheme
  const request = requestOf(value, content)
  const { headers, content: signedBytes } = await reference(value, request)
  counts.signed++
  const sent = { ...request, headers }
  const outcome = await verify(scheme, key, sent)
  if (outcome !== 'unsignable' && outcome !== 'valid') found('a valid request is rejected', outcome)
  counts[outcome]++
  for (const other of alterations(value, sent, content)) {
    counts.altered++
    if ((await verify(scheme, key, other, false)) !== 'valid') continue
    if (outcome === 'valid' && isSameDelivery(value, sent, other)) continue
    found('a change passes', other)
  }
  if (outcome !== 'valid') return
  for (const other of recut(sent, value)) {
    const signed = await reference(value, { ...other, headers: undefined })
    if (signed.content !== signedBytes) continue
    counts.cut++
    const again = { ...other, headers: withSignature(value, other, headers) }
    // Where parts can be cut differently, it is shown that they are; elsewhere no such delivery may reach a handler.
    if ((await verify(scheme, key, again, !scheme.ambiguous)) !== 'valid') continue
    if (!scheme.ambiguous) found('two deliveries have one signature', other)
    counts['cut, and ambiguous']++
  }
}

/** One changed byte of the body, of a signed part or of the signature: none may pass. */
function alterations(value, sent, { at, bit }) {
  const { header } = value.signature
  const signature = sent.headers[header]
  const headers = (change) => ({ ...sent, headers: { ...sent.headers, ...change } })
  const signs = (part) => value.signed.some((one) => one === part || one.header === part)
  const changed = (bytes, from = 0) => {
    const copy = Buffer.from(bytes)
    copy[from + (at % (copy.length - from))] ^= 1 << bit
    return copy
  }
  return [
    { ...sent, body: changed(sent.body) },
    { ...sent, body: Buffer.concat([sent.body, Buffer.from(signs('form') ? '&q=1' : ' ')]) },
    { ...sent, body: Buffer.alloc(0) },
    headers({ [header]: changed(Buffer.from(signature), 1).toString('latin1') }),
    headers({ [header]: `${signature}0` }),
    ...(signs('x-id') ? [headers({ 'x-id': `${sent.headers['x-id']}0` })] : []),
    ...(signs('url') ? [{ ...sent, url: `${sent.url}0` }] : []),
    ...(signs('timestamp') && sent.headers['x-time']
      ? [headers({ 'x-time': `${Number(sent.headers['x-time']) + 1}` })]
      : []),
  ]
}

/** A form can be written in several ways: `+` and `%20` are one delivery. */
function isSameDelivery(value, left, right) {
  const { header } = value.signature
  if (left.headers[header] !== right.headers[header]) return false
  const fields = ({ body }) => JSON.stringify([...new URLSearchParams(body.toString())].sort())
  return value.body === 'form' && fields(left) === fields(right)
}

/** The same characters with another end of the id, of the URL or of the body. */
function* recut(sent, value) {
  const text = sent.body.toString('latin1')
  const bytes = (characters) => Buffer.from(characters, 'latin1')
  for (const length of [1, 2, 3, 5, 12, 15]) {
    const head = text.slice(0, length)
    const rest = bytes(text.slice(length))
    yield { ...sent, id: sent.id + head, body: rest }
    yield { ...sent, url: sent.url + head, body: rest }
    yield { ...sent, id: text.slice(-length) + sent.id, body: bytes(text.slice(0, -length)) }
  }
  // What a timestamp could be elsewhere, with all that is in front of it as the id.
  for (const { 0: time, index } of text.matchAll(/\d{13}|\d{10}|\d{4}-[\d-]+T[\d:]+Z/g)) {
    const id = sent.id + sent.time + text.slice(0, index)
    yield { ...sent, id, time, body: bytes(text.slice(index + time.length)) }
  }
  if (sent.id.length > 1) {
    yield { ...sent, id: sent.id.slice(0, -1), body: bytes(sent.id.at(-1) + text) }
  }
  if (value.body === 'form') yield { ...sent, body: bytes(text.replace('=', '%3D=')) }
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
    return error.reason === 'signature_malformed' ? 'unsignable' : error.reason
  }
}

function reference(value, { headers: _, ...request }) {
  return python.ask({ ...request, form: formOf(value), body: request.body.toString('base64') })
}

function found(what, other) {
  throw new Error(`${what}: ${typeof other === 'string' ? other : fc.stringify(other)}`)
}
