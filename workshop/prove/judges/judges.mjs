// Compares the schemes with the services' own SDKs, in both directions, over bodies at which verifiers stumble.
import { readFileSync, writeFileSync } from 'node:fs'
import { mock } from 'node:test'
import * as schemes from '@webhook-receiver/schemes'
import { keyPairFor } from '@webhook-receiver/schemes/services'
import { flag, readCommandLine, text } from '../command-line.mjs'
import { startPython } from '../python.mjs'
import {
  alteredCases,
  CLOCK,
  ID,
  mistakenCases,
  namesOf,
  renamedCases,
  rotatedCases,
  signatureIn,
  signedCases,
} from './cases.mjs'
import { compareEventTypes } from './event-types.mjs'
import { DAYS, expired } from './expired.mjs'
import { installSdks, loadSdk } from './install.mjs'
import { SDKS } from './sdks.mjs'
import { vectorFile } from './vector-file.mjs'

const { latest, only, write } = readCommandLine(
  'prove -- judges',
  `Exits with 1 where an SDK and a scheme disagree in a way that is not explained, where a body of the types of an SDK has its id, event or
time at no place that the scheme knows, and where a scheme was compared with its service more than ${DAYS} days ago.`,
  {
    latest: flag('the newest SDKs instead of those that were last compared'),
    only: text('one scheme', 'name'),
    write: flag('writes the vectors of packages/conformance/schemes'),
  },
)
const isChosen = ({ name }) => only === undefined || name === only

/** Where an SDK decides differently, and why we do not follow it. */
const EXPLAINED = [
  [/empty/, 'its SDK takes no empty body'],
  [/letters behind|a fraction/, 'its SDK reads the digits in front and signs only these'],
  [/upper case/, 'its SDK decodes digits in any case'],
  [/a longer|the header twice/, 'its SDK ignores what is behind the signature'],
  [/^its signature (?:first|last)/, 'its SDK looks at one signature only'],
]

const fileOf = (name) =>
  new URL(`../../../packages/conformance/schemes/${name}.json`, import.meta.url)
const published = JSON.parse(readFileSync(fileOf('published'), 'utf8')).vectors

const python = startPython(new URL('reference.py', import.meta.url))
const TODAY = new Date().toISOString().slice(0, 10)
// Before any clock is looked at: SDKs compare the timestamp with theirs.
mock.timers.enable({ apis: ['Date'], now: CLOCK * 1000 })

const all = Object.values(schemes).filter((scheme) => scheme.value && isChosen(scheme))
const chosen = all.filter(({ name }) => !SDKS[name].isSample)
const folder = chosen.some(({ name }) => SDKS[name].package) ? installSdks(latest) : undefined
const rows = {}
for (const scheme of chosen) {
  rows[scheme.name] = await judge(scheme).catch((cause) => {
    const why = cause.detail ?? cause.message
    throw new Error(`${scheme.name} could not be judged: ${why}`, { cause })
  })
}
python.end()
const values = all.map(({ value }) => value)
const wrongTypes = folder ? compareEventTypes(folder, values) : []
for (const { name, checked } of expired(values, TODAY))
  report(`${name} was compared with its service on ${checked}: read its documentation again.`)
console.table(rows)
wrongTypes.forEach(report)

function report(problem) {
  console.log(problem)
  process.exitCode = 1
}

async function judge(scheme) {
  const { name, value } = scheme
  const sdk = SDKS[name]
  const installed = sdk.source ? {} : await loadSdk(folder, sdk)
  const signature = { ...value.signature, header: namesOf(value.signature)[0] }
  const signers = keysOf(value)
  const vectors = []

  /** `undefined` where the SDK was not asked: it takes no such bytes, or no key of this kind. */
  async function askSdk(one) {
    const text = textOf(one.body)
    if (!installed.verify || one.secret.startsWith('whpk_')) return undefined
    if (!sdk.bytes && text === undefined) return undefined
    return installed.verify({ ...one, signature: signatureIn(one.headers, value), text })
  }

  const explanation = (what) =>
    [...(sdk.explained ?? []), ...EXPLAINED].find(([pattern]) => pattern.test(what))?.[1]

  async function compare(one) {
    const ours = await verifies(scheme, one)
    const judged = await askSdk(one)
    const differs = judged !== undefined && judged !== ours
    const why = differs ? explanation(one.name) : undefined
    const wrong = (differs && !why) || ours === Boolean(one.altered)
    vectors.push({ origin: 'reference', ...one, ours, judged, why, wrong })
  }

  /** What the SDK signed, which we have to accept. */
  async function compareSigned(one) {
    let made
    try {
      made = await installed.sign({ ...one, text: textOf(one.body), id: ID, time: CLOCK })
    } catch {
      return
    }
    const headers = typeof made === 'string' ? { [signature.header]: made } : made
    await compare({ ...one, name: `${one.name}, signed by the SDK`, headers, origin: 'sdk' })
  }

  /** What we sign, which the SDK has to accept. */
  async function ourSignature(one, privateKey = one.secret) {
    if (!scheme.sign) return
    const key = await scheme.importKey(privateKey, 'The secret', 'sign')
    const parts = { id: ID, time: CLOCK * 1000, event: 'push', url: one.url }
    const headers = await scheme.sign(key, one.body, parts)
    const judged = await askSdk({ ...one, headers })
    if (judged === false && !explanation(one.name))
      report(`${name}, ${one.name}: the SDK rejects what we signed.`)
  }

  for (const [index, signer] of signers.entries()) {
    const other = signers.find((one) => one !== signer && one.form === signer.form)
    if (!other || index > signers.indexOf(other)) continue
    for (const plain of signedCases(scheme)) {
      const one = { ...plain, secret: signer.secret }
      const signed = { ...one, headers: await reference(name, signer, plain) }
      const foreign = await reference(name, other, plain)
      const cases = [
        signed,
        { ...signed, name: `${signed.name}: another secret`, secret: other.secret, altered: true },
        ...alteredCases(signed, signature, signer.form),
        ...renamedCases(signed, value),
        ...rotatedCases(signed, foreign, signature),
        ...(await mistakenCases(signed, scheme, signer.privateKey)),
      ]
      for (const each of cases) await compare(each)
      if (installed.sign && textOf(plain.body) !== undefined && !signer.privateKey)
        await compareSigned(one)
      await ourSignature(one, signer.privateKey)
    }
  }
  if (write) {
    writeFileSync(fileOf(name), vectorFile(name, sdk, { ...installed, date: TODAY }, vectors))
    console.log(`Wrote packages/conformance/schemes/${name}.json.`)
  }
  const wrong = vectors.filter((one) => one.wrong)
  const requests = sdk.source ? published.filter((one) => one.scheme === name) : []
  let verified = 0
  for (const one of requests) {
    const ours = await verifies(scheme, { ...one, body: Buffer.from(one.text) })
    if (ours === one.valid) verified++
    else wrong.push({ ...one, ours, judged: one.valid })
  }
  if (sdk.source && requests.length === 0)
    report(`${name} has no SDK, and no request in published.json.`)
  for (const { name: what, ours, judged } of wrong)
    report(`${name}, ${what}: the service says ${judged}, and we say ${ours}.`)
  const count = (isCounted) => vectors.filter(isCounted).length
  return {
    judge: sdk.source ?? `${sdk.package}@${installed.version}`,
    cases: vectors.length,
    ...(sdk.source
      ? { 'published, verified': verified }
      : {
          'SDK signs': count(({ origin }) => origin === 'sdk'),
          'SDK verifies': count(({ judged }) => judged !== undefined),
        }),
    explained: count(({ why }) => why),
    wrong: wrong.length,
  }
}

async function verifies(scheme, { secret, headers, body, url }) {
  const key = await scheme.importKey(secret, 'The secret')
  try {
    const head = scheme.readHead({ method: 'POST', header: (name) => headers[name], url })
    return await scheme.verify(key, head, new Uint8Array(body))
  } catch (error) {
    if (error.name === 'WebhookError') return false
    throw error
  }
}

function textOf(body) {
  const text = body.toString()
  return Buffer.from(text).equals(body) ? text : undefined
}

/** Two of each kind of key. */
function keysOf({ keys }) {
  return keys.flatMap((form) => [1, 2].map((number) => ({ form, ...keyOf(form, number) })))
}

function keyOf(form, number) {
  const { algorithm, secret, secretPrefix = '' } = form
  if (!algorithm.startsWith('hmac')) {
    const { publicKey, privateKey } = keyPairFor({ value: { keys: [form] } })
    return { secret: publicKey, privateKey }
  }
  const text = `Vectors only ${number}, never use them`
  return { secret: secretPrefix + (secret === 'text' ? text : Buffer.from(text).toString(secret)) }
}

function reference(service, { secret, privateKey }, { body, url }) {
  const request = { service, secret, body: body.toString('base64'), id: ID, time: `${CLOCK}`, url }
  return python.ask(privateKey ? { ...request, private_key: privateKey } : request)
}
