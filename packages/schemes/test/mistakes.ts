import type { DefinedScheme } from '../src/index.ts'
import * as services from '../src/index.ts'
import { type Vector, validRequest, vectorsOf, verdict } from './vectors.ts'

const { github, paddle, square, standardWebhooks, stripe, svix, twilio } = services

const encoder = new TextEncoder()

/** What a check found wrong with a scheme; empty where there is nothing. */
type Check = (scheme: DefinedScheme) => Promise<readonly string[]>

/** A mistake that verifiers make: how it is found, and schemes that make it on purpose. */
export interface Mistake {
  readonly name: string
  readonly scheme: DefinedScheme
  readonly check: Check
  readonly made: (scheme: DefinedScheme) => DefinedScheme
}

/** Every vector, as the check for whatever changes a verdict. */
const vectors: Check = async (scheme) => {
  const found = await Promise.all(
    vectorsOf(scheme).map(async (vector) => ({ vector, got: await verdict(scheme, vector) })),
  )
  return found
    .filter(({ vector, got }) => (got === 'valid') !== vector.valid)
    .map(({ vector, got }) => `${vector.name}: ${got}`)
}

/** These are accepted, and none of those. */
function verdicts(
  accepted: (scheme: DefinedScheme) => readonly Request[],
  rejected: (scheme: DefinedScheme) => readonly Request[],
): Check {
  return async (scheme) => {
    const lost = await Promise.all(accepted(scheme).map((one) => verdict(scheme, one)))
    const passed = await Promise.all(rejected(scheme).map((one) => verdict(scheme, one)))
    return [
      ...lost.filter((found) => found !== 'valid').map((found) => `a valid request: ${found}`),
      ...passed.filter((found) => found === 'valid').map(() => 'an altered request is valid'),
    ]
  }
}

type Request = Pick<Vector, 'secret' | 'url' | 'headers' | 'body'>

function named(scheme: DefinedScheme, name: string): Vector {
  const found = vectorsOf(scheme).find((vector) => vector.name === name)
  if (!found) throw new Error(`${scheme.name} has no vector "${name}".`)
  return found
}

function withHeader(request: Request, header: string, change: (value: string) => string): Request {
  return {
    ...request,
    headers: { ...request.headers, [header]: change(request.headers[header] ?? '') },
  }
}

/** The scheme with another body in the place of the one that was received. */
function reading(scheme: DefinedScheme, change: (body: Uint8Array) => Uint8Array): DefinedScheme {
  return { ...scheme, verify: (key, head, body) => scheme.verify(key, head, change(body)) }
}

/** The scheme with another value of a header in the place of the one that was received. */
function hearing(
  scheme: DefinedScheme,
  change: (name: string, value: string) => string,
): DefinedScheme {
  return {
    ...scheme,
    readHead: (request) =>
      scheme.readHead({
        ...request,
        header: (name) => {
          const value = request.header(name)
          return value && change(name, value)
        },
      }),
  }
}

const text = (body: Uint8Array) => new TextDecoder().decode(body)
const bytes = (body: string) => encoder.encode(body)
const dropped = (request: Vector, count: number) => ({
  ...request,
  body: request.body.slice(count),
})

export const MISTAKES: readonly Mistake[] = [
  {
    name: 'a signature is accepted for a part of the body',
    scheme: github,
    check: verdicts(
      (scheme) => [validRequest(scheme)],
      (scheme) => {
        const { body, ...rest } = validRequest(scheme)
        return [{ ...rest, body: Uint8Array.from([...bytes('{"data":'), ...body, ...bytes('}')]) }]
      },
    ),
    made: (scheme) => ({
      ...scheme,
      async verify(key, head, body) {
        const inner = /^\{"data":(.*)\}$/s.exec(text(body))?.[1] ?? ''
        return (await scheme.verify(key, head, body)) || scheme.verify(key, head, bytes(inner))
      },
    }),
  },
  {
    name: 'the body is put into a template by String.replace',
    scheme: stripe,
    check: vectors,
    made: (scheme) => reading(scheme, (body) => bytes('%'.replace('%', text(body)))),
  },
  ...[stripe, paddle, svix, standardWebhooks, services.mux, services.workos].map(
    (scheme): Mistake => ({
      name: `of several signatures of ${scheme.name} only the last is tried`,
      scheme,
      check: vectors,
      made: (right) =>
        hearing(right, (name, value) => {
          const { header, separator = ',', field } = right.value.signature
          if (![header].flat().includes(name)) return value
          const parts = value.split(separator)
          return field ? `${parts[0]}${separator}${parts.at(-1)}` : `${parts.at(-1)}`
        }),
    }),
  ),
  {
    name: 'the key comes from the request',
    scheme: github,
    check: verdicts(
      (scheme) => [validRequest(scheme)],
      (scheme) => {
        const other = named(scheme, 'plain: another secret')
        const own = validRequest(scheme)
        const headers = { ...own.headers, 'x-key': own.secret }
        return [{ ...other, headers }]
      },
    ),
    made: (scheme) => ({
      ...scheme,
      async verify(key, head, body) {
        const given: unknown = Reflect.get(head, 'header')
        const sent: unknown = typeof given === 'function' ? given('x-key') : undefined
        const used = typeof sent === 'string' ? await scheme.importKey(sent, 'The secret') : key
        return scheme.verify(used, head, body)
      },
    }),
  },
  ...[standardWebhooks, stripe].map(
    (scheme): Mistake => ({
      name: `the digits in front of a timestamp of ${scheme.name} are enough`,
      scheme,
      check: vectors,
      made: (right) =>
        hearing(right, (_name, value) => value.replace(/(\d{10})(?:abc|\.5|000)/, '$1')),
    }),
  ),
  {
    name: 'milliseconds are read as seconds',
    scheme: services.linear,
    check: async (scheme) => {
      const { headers, body } = validRequest(scheme)
      const head = scheme.readHead({ method: 'POST', header: (name) => headers[name] })
      const time = scheme.readTime?.(head, body)
      return time === 1_795_392_000_000 ? [] : [`the time is ${time}`]
    },
    made: (scheme) => ({
      ...scheme,
      readTime: (head, body) => (scheme.readTime?.(head, body) ?? 0) * 1000,
    }),
  },
  {
    name: "GitHub's SHA-1 is a second choice",
    scheme: github,
    check: async (scheme) => {
      const { secret, body } = validRequest(scheme)
      const { createHmac } = await import('node:crypto')
      const sha1 = `sha1=${createHmac('sha1', secret).update(body).digest('hex')}`
      const tried = [{ 'x-hub-signature': sha1 }, { 'x-hub-signature-256': sha1 }]
      const found = await Promise.all(
        tried.map((headers) => verdict(scheme, { secret, body, headers, url: '' })),
      )
      return found.filter((one) => one === 'valid')
    },
    made: () =>
      services.defineScheme({
        ...github.value,
        keys: [{ algorithm: 'hmac-sha1', secret: 'text', prefix: 'sha1=' }],
      }),
  },
  ...[services.line, services.discordEvents, services.linear].map(
    (scheme): Mistake => ({
      name: `the body of ${scheme.name} is decoded and encoded again`,
      scheme,
      check: vectors,
      made: (right) => reading(right, (body) => bytes(text(body))),
    }),
  ),
  ...[svix, standardWebhooks].map(
    (scheme): Mistake => ({
      name: `the id of ${scheme.name} may hold the dot that ends it`,
      scheme,
      check: cutDifferently,
      made: (right) => {
        const header = right.headers.find((name) => name.endsWith('-id'))
        const hidden = (value: string) => value.replaceAll('.', '\u0000')
        return {
          ...right,
          readHead(request) {
            const read = (name: string) => {
              const value = request.header(name)
              return value && name === header ? hidden(value) : value
            }
            const head = right.readHead({
              ...request,
              header: (name) => read(name)?.replaceAll('\u0000', '!'),
            })
            const around = (
              Reflect.get(head, 'around') as readonly { before: string; after: string }[]
            ).map(({ before, after }) => ({ before: before.replaceAll('!', '.'), after }))
            return { ...head, around }
          },
        }
      },
    }),
  ),
  {
    name: 'a URL may hold what a body begins with',
    scheme: square,
    check: async (scheme) => {
      const { secret } = validRequest(scheme)
      const key = await scheme.importKey(secret, 'The secret')
      const signed = { id: '', event: '', time: 0, url: 'https://a.example/?x=' }
      const headers = (await scheme.sign?.(key, bytes('{"a":{"b":1}}'), signed)) ?? {}
      const cut = {
        secret,
        headers,
        url: 'https://a.example/?x={"a":',
        body: Uint8Array.from(bytes('{"b":1}}')),
      }
      return (await verdict(scheme, cut)) === 'valid' ? ['cut differently'] : []
    },
    made: (scheme) => ({
      ...scheme,
      readHead: (request) => {
        const head = scheme.readHead({ ...request, url: 'https://a.example' })
        return Object.assign(head, { around: [{ before: request.url, after: '' }] })
      },
    }),
  },
  {
    name: 'an id in front of the timestamp may hold what a body begins with',
    scheme: services.twitch,
    check: async (scheme) => {
      const name = (part: string) => `twitch-eventsub-message-${part}`
      const { secret } = validRequest(scheme)
      const key = await scheme.importKey(secret, 'The secret')
      const parts = { id: 'a', event: '', time: 1_795_392_000_000, url: '' }
      const body = '{"at":"2026-11-23T00:10:00Z[1]"}'
      const made = (await scheme.sign?.(key, bytes(body), parts)) ?? {}
      const [hidden = '', rest = ''] = body.split('2026-11-23T00:10:00Z')
      const headers = {
        ...made,
        [name('id')]: `a${made[name('timestamp')]}${hidden}`,
        [name('timestamp')]: '2026-11-23T00:10:00Z',
      }
      const cut = { secret, headers, url: '', body: Uint8Array.from(bytes(rest)) }
      return (await verdict(scheme, cut)) === 'valid' ? ['cut differently'] : []
    },
    made: (scheme) => ({
      ...scheme,
      readHead: (request) => {
        const read = (part: string) => request.header(`twitch-eventsub-message-${part}`)
        const header = (name: string) => (name.endsWith('-id') ? 'a' : request.header(name))
        const head = scheme.readHead({ ...request, header })
        return Object.assign(head, {
          around: [{ before: `${read('id')}${read('timestamp')}`, after: '' }],
        })
      },
    }),
  },
  {
    name: 'the signature of a GET is accepted for a POST with a JSON body',
    scheme: twilio,
    check: verdicts(
      (scheme) => [named(scheme, 'empty')],
      (scheme) => [
        { ...named(scheme, 'empty'), body: Uint8Array.from(bytes('{"MessageSid":"SM2"}')) },
        { ...named(scheme, 'JSON, plain'), body: Uint8Array.from(bytes('{"type":"other"}')) },
        dropped(named(scheme, 'plain'), 3),
      ],
    ),
    made: (scheme) => reading(scheme, (body) => (body[0] === 0x7b ? bytes('') : body)),
  },
  {
    name: 'an id that is not signed is declared to be',
    scheme: github,
    check: async (scheme) => {
      const request = validRequest(scheme)
      const swapped = withHeader(request, 'x-github-delivery', () => 'another')
      const passes = (await verdict(scheme, swapped)) === 'valid'
      const declared = scheme.unsigned?.includes('id') && scheme.unsigned.includes('event')
      return passes && !declared
        ? ['id and event can be swapped, and `unsigned` does not say so']
        : []
    },
    made: (scheme) => ({ ...scheme, unsigned: [] }),
  },
]

/** Two ways to cut the same signed bytes: `a.TIME.BODY` with a body that begins like a timestamp, and `a.TIME` as the id. */
async function cutDifferently(scheme: DefinedScheme): Promise<readonly string[]> {
  const [id, time, signature] = ['id', 'timestamp', 'signature'].map((part) =>
    Object.keys(validRequest(scheme).headers).find((name) => name.endsWith(part)),
  ) as [string, string, string]
  const { secret } = validRequest(scheme)
  const key = await scheme.importKey(secret, 'The secret')
  const parts = { id: 'a', event: '', time: 1_795_392_000_000, url: '' }
  const made = (await scheme.sign?.(key, bytes('1795392001.{}'), parts)) ?? {}
  const headers = { [id]: 'a.1795392000', [time]: '1795392001', [signature]: made[signature] ?? '' }
  const cut = { secret, headers, url: '', body: Uint8Array.from(bytes('{}')) }
  return (await verdict(scheme, cut)) === 'valid' ? ['cut differently'] : []
}

/** The value of a scheme, changed in one place as a slip of the hand would. */
export function slips(scheme: DefinedScheme): readonly (readonly [string, DefinedScheme])[] {
  const { value } = scheme
  const { signature, signed, timestamp } = value
  const other = signature.encoding === 'hex' ? 'base64' : 'hex'
  const changes: readonly (readonly [string, Partial<services.SchemeValue>])[] = [
    ['another header', { signature: { ...signature, header: 'x-other-signature' } }],
    ['another encoding', { signature: { ...signature, encoding: other } }],
    ['no timestamp', { signed: ['body'], bodyDigest: undefined }],
    ['another order', { signed: [...signed].reverse() as unknown as typeof signed }],
    ['another name', signature.field ? { signature: { ...signature, field: 'v9' } } : {}],
    [
      'another separator',
      signature.separator ? { signature: { ...signature, separator: '~' } } : {},
    ],
    ...(timestamp
      ? ([
          [
            'another unit',
            { timestamp: { ...timestamp, unit: timestamp.unit === 's' ? 'ms' : 's' } },
          ],
        ] as const)
      : []),
    ...(timestamp?.tolerance
      ? ([
          [
            'a thousand times the tolerance',
            { timestamp: { ...timestamp, tolerance: timestamp.tolerance * 1000 } },
          ],
        ] as const)
      : []),
  ]
  return changes
    .filter(([, change]) => JSON.stringify({ ...value, ...change }) !== JSON.stringify(value))
    .map(([name, change]) => [
      name,
      services.defineScheme({ ...value, ...change }) as DefinedScheme,
    ])
}

/** What the documentation of the services says of their windows, in seconds. */
const WINDOWS: Readonly<Record<string, number>> = {
  'standard-webhooks': 300,
  openai: 300,
  anthropic: 300,
  replicate: 300,
  gitlab: 300,
  supabase: 300,
  polar: 300,
  'polar-legacy': 300,
  svix: 300,
  resend: 300,
  clerk: 300,
  stripe: 300,
  slack: 300,
  linear: 28_800,
  hubspot: 300,
  elevenlabs: 1800,
  mux: 300,
  telnyx: 300,
  retell: 300,
  workos: 180,
  twitch: 600,
  box: 600,
}

/** Verdicts, the time that is read, and the window. */
export const everything: Check = async (scheme) => {
  const problems = [...(await vectors(scheme))]
  if (scheme.tolerance !== (WINDOWS[scheme.name] ?? Number.POSITIVE_INFINITY)) {
    problems.push(`the tolerance is ${scheme.tolerance}`)
  }
  try {
    const { headers, body, url } = validRequest(scheme)
    const head = scheme.readHead({ method: 'POST', header: (name) => headers[name], url })
    const time = scheme.readTime?.(head, body) ?? 1_795_392_000_000
    if (time !== 1_795_392_000_000) problems.push(`the time is ${time}`)
  } catch (error) {
    problems.push(`${error}`)
  }
  return problems
}
