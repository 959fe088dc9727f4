import type { Scheme } from '@webhook-receiver/core'
import { contract } from '@webhook-receiver/core/internal'
import * as services from '@webhook-receiver/schemes'
import {
  mistakesOf,
  namesOf,
  neighbourScheme,
  otherDigest,
  SECRET_MISTAKES,
  schemeValueOf,
  signWrong,
  withDigests,
} from '@webhook-receiver/schemes/neighbours'
import { afterAll, expect, test, vi } from 'vitest'
import { type DiagnosisInput, diagnose } from '../src/index.ts'

/** How often a signature was compared. */
let attempts = 0

vi.mock('@webhook-receiver/schemes/neighbours', async (original) => {
  const real = await original<typeof import('@webhook-receiver/schemes/neighbours')>()
  return {
    ...real,
    neighbourScheme(value: Parameters<typeof real.neighbourScheme>[0]) {
      const scheme = real.neighbourScheme(value)
      const verify: typeof scheme.verify = (...args) => {
        attempts++
        return scheme.verify(...args)
      }
      return { ...scheme, verify }
    },
  }
})

/** A service that only its customer has described. */
const acme = services.defineScheme({
  name: 'acme',
  checked: '2026-11-01',
  signature: { header: 'x-acme-signature', encoding: 'base64url' },
  keys: [{ algorithm: 'hmac-sha512', secret: 'hex', prefix: 'acme1:' }],
  signed: [{ header: 'x-acme-delivery' }, { text: '|' }, 'timestamp', { text: '|' }, 'body'],
  timestamp: { at: { header: 'x-acme-time' }, unit: 'ms', tolerance: 600 },
  id: [{ header: 'x-acme-delivery' }],
  event: [{ pointer: '/kind' }],
})

const { stripe, slack, github, standardWebhooks, shopify, twilio, hubspot, zoom } = services
const SCHEMES: readonly Scheme[] = [
  ...[contract, stripe, slack, github, standardWebhooks, shopify, twilio, hubspot, zoom, acme],
] as readonly Scheme[]

/** How many neighbours of each mistake are tried. */
const MOST = process.env.EVERYTHING ? 50 : 3

const URL_SIGNED = 'https://example.com/webhooks?tenant=7'
const PARTS = { id: 'evt_1', event: 'order.paid', time: 1_795_597_200_000, url: URL_SIGNED }

type Headers = Readonly<Record<string, string>>

interface Sent {
  readonly code: string
  readonly headers: Headers
  readonly secrets?: string
}

/** A secret that is what its text decodes to, where the service decodes it. */
function secretOf(scheme: Scheme): string {
  const [{ secret = 'text', secretPrefix = '' } = {}] = schemeValueOf(scheme)?.keys ?? []
  const text = 'MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY='
  const bytes = Buffer.from(text)
  const written = secret === 'text' ? text : bytes.toString(secret === 'hex' ? 'hex' : 'base64')
  return `${secretPrefix}${written}`
}

async function examined(scheme: Scheme) {
  const secret = secretOf(scheme)
  const body = scheme.compose?.({ text: 'é $& 👋' }, PARTS) ?? new Uint8Array()
  const keyOf = (by: Scheme) => by.importKey(secret, 'The secret')
  const value = schemeValueOf(scheme)
  const same = await signWrong(scheme, (one) => one, keyOf, body, PARTS)
  if (!value || !same) throw new Error(`${scheme.name} has no value that signs.`)
  const right: Headers = same
  const input = { scheme, secrets: secret, body, url: scheme.signsUrl ? URL_SIGNED : undefined }
  const isSignature = ([name]: readonly [string, string]) =>
    namesOf(value.signature).includes(name.toLowerCase())
  /** What is sent with each signature changed. */
  const changed = (change: (digest: string) => string): Headers => ({
    ...right,
    ...Object.fromEntries(
      Object.entries(right)
        .filter(isSignature)
        .map(([name, text]) => [name, withDigests(value, text, change)]),
    ),
  })
  return { value, secret, body, right, keyOf, input, changed }
}

/** What senders send that make mistakes: by each neighbour, with each other secret, and a signature that is not whole. */
async function sentBy(scheme: Scheme): Promise<readonly Sent[]> {
  const { value, secret, body, right, keyOf, changed } = await examined(scheme)
  const sent: Sent[] = []
  for (const { code, neighbours } of mistakesOf(value)) {
    for (let at = 0; at < MOST; at++) {
      const choose: Parameters<typeof signWrong>[1] = (of, facts) =>
        [...neighbours(of, facts)][at]?.value
      const headers = await signWrong(scheme, choose, keyOf, body, PARTS)
      if (headers) sent.push({ code, headers })
    }
  }
  for (const { code, variants } of SECRET_MISTAKES) {
    const [source] = variants(secret).filter((one) => one !== undefined && one !== secret)
    const by = neighbourScheme(value)
    const imported =
      typeof source === 'string'
        ? await keyFor(by, source)
        : source && (await by.importBytes?.(source))
    const headers = imported ? await by.sign?.(imported, body, PARTS) : undefined
    if (headers) sent.push({ code, headers })
  }
  sent.push({ code: 'signature_cut', headers: changed((digest) => digest.slice(0, -6)) })
  sent.push({ code: 'signature_longer', headers: changed((digest) => `${digest}00`) })
  // Some neighbours of a value sign as it does itself.
  return sent.filter(({ headers }) => JSON.stringify(headers) !== JSON.stringify(right))
}

async function keyFor(by: Scheme, source: string): Promise<unknown> {
  try {
    return await by.importKey(source, 'The secret')
  } catch {
    return undefined
  }
}

const rows: (readonly unknown[])[] = []

afterAll(() => {
  if (process.env.EVERYTHING) console.table(rows)
})

test.each(SCHEMES)(
  'of the mistakes of a sender of $name, nine in ten get a certain cause',
  async (scheme) => {
    const { input } = await examined(scheme)
    const sent = await sentBy(scheme)
    const missed: string[] = []
    const before = process.cpuUsage()
    attempts = 0
    for (const { code, headers } of sent) {
      const [first] = await diagnose({ ...input, headers })
      // Two mistakes may lead to the same request.
      const isSame = (one: Sent) => JSON.stringify(one.headers) === JSON.stringify(headers)
      const codes = sent.filter(isSame).map((one) => one.code)
      const isNamed = codes.some((one) => one === first.code || one === first.also)
      if (first.certainty !== 'certain' || !isNamed) missed.push(`${code}: ${first.code}`)
    }
    const { user, system } = process.cpuUsage(before)
    const certain = sent.length - missed.length
    const each = (sum: number) => Math.round(sum / sent.length)
    rows.push([
      scheme.name,
      certain,
      sent.length,
      each(attempts),
      each((user + system) / 1000),
      missed,
    ])
    expect(sent.length).toBeGreaterThan(6)
    expect(certain / sent.length, missed.join(', ')).toBeGreaterThanOrEqual(0.9)
  },
)

test.each(SCHEMES)('forgeries of $name have no cause', async (scheme) => {
  const { value, input, right, body, changed } = await examined(scheme)
  const forged: Partial<DiagnosisInput>[] = [
    {
      secrets: secretOf(scheme)
        .replace('MDE', 'MDF')
        .replace('4d44', '4d45')
        .replace('TURF', 'TURG'),
    },
    { body: body.with(-3, (body.at(-3) ?? 0) ^ 1) },
    { headers: changed((digest) => otherDigest(value, digest)) },
  ]
  for (const change of forged) {
    const found = await diagnose({ ...input, headers: right, ...change })
    expect(found.map(({ code }) => code)).toEqual(['unknown'])
  }
})
