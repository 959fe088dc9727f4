import { isHeader } from '../engine/coverage.ts'
import type { Encoding, KeyForm, SchemeValue } from '../value.ts'
import type { Mistake, Neighbour } from './mistake.ts'

const ENCODINGS: readonly Encoding[] = ['hex', 'base64', 'base64url']

const HASHES = ['sha1', 'sha256', 'sha512'] as const

const FIELDS = ['v1', 'v0', 'v2', 's', 'sig', 'signature', 'h1', 'sha256']

/** How the signature is made and written, in another way. */
export const SIGNATURE_MISTAKES: readonly Mistake[] = [
  {
    code: 'signature_encoding',
    what: 'is written in {form}',
    fix: 'Write the signature in {encoding}.',
    pairs: true,
    *neighbours(value) {
      for (const encoding of ENCODINGS) {
        if (encoding === value.signature.encoding) continue
        const form = encoding === 'hex' ? 'hexadecimal' : encoding
        yield* withOrWithoutPrefix(form, { ...value, signature: { ...value.signature, encoding } })
      }
    },
  },
  {
    code: 'signature_prefix_missing',
    what: 'lacks its prefix "{prefix}"',
    fix: 'Put "{prefix}" in front of the signature.',
    pairs: true,
    *neighbours(value) {
      if (value.keys.some(({ prefix }) => prefix)) {
        yield { value: withKeys(value, (key) => ({ ...key, prefix: undefined })) }
      }
    },
  },
  {
    code: 'signature_field',
    what: 'is in the field {form}',
    fix: 'Write the signature behind "{prefix}".',
    *neighbours(value) {
      const { field } = value.signature
      if (field === undefined) return
      for (const other of FIELDS) {
        if (other === field) continue
        yield {
          form: `${other}=`,
          value: { ...value, signature: { ...value.signature, field: other } },
        }
      }
    },
  },
  {
    code: 'signature_scheme',
    what: 'is written as {form} writes it',
    fix: 'Write the headers and the signature as the service does, or verify with the scheme of the other service.',
    *neighbours(value) {
      const { header, encoding } = value.signature
      if (value.signature.field !== undefined || !value.keys.some(isShared)) return
      const bare = withKeys(value, (key) => ({ ...key, prefix: undefined }))
      for (const separator of [',', ' ']) {
        // Such a service takes it too, and leaves the time out.
        const isOwn = separator === value.signature.separator
        if (isOwn && value.keys.some(({ prefix }) => prefix === 'v1=')) continue
        const signature = { header, encoding: 'hex', separator, field: 'v1' } as const
        const timestamp = { at: { field: 't' }, unit: 's' } as const
        yield { form: 'Stripe (t=…,v1=…)', value: { ...bare, signature, timestamp } }
      }
      if (encoding === 'base64' && value.keys.some(({ prefix }) => prefix === 'v1,')) return
      const form = 'Standard Webhooks (v1,…)'
      const written: SchemeValue = {
        ...withKeys(value, (key) => ({ ...key, prefix: 'v1,' })),
        signature: { header, encoding: 'base64', separator: ' ' },
      }
      yield { form, value: written }
      const [id = { header: 'x-webhook-id' }] = value.id?.filter(isHeader) ?? []
      const key = { secret: 'base64', secretPrefix: 'whsec_' } as const
      const whole = withKeys(written, (one) => ({ ...one, ...key }))
      yield {
        form,
        value: { ...whole, signed: [id, { text: '.' }, 'timestamp', { text: '.' }, 'body'] },
      }
    },
  },
  {
    code: 'signature_other_hash',
    what: 'is one of {form}',
    fix: 'Make the sender sign with {hash}.',
    *neighbours(value) {
      for (const hash of HASHES) {
        const algorithm = `hmac-${hash}` as const
        if (!value.keys.some((key) => isShared(key) && key.algorithm !== algorithm)) continue
        const form = `HMAC-${hash.toUpperCase().replace('SHA', 'SHA-')}`
        const changed = withKeys(value, (key) => ({ ...key, algorithm }))
        yield* withOrWithoutPrefix(form, changed)
        const named = withKeys(changed, ({ prefix, ...key }) => ({
          ...key,
          prefix: prefix?.replace(/sha\d+/, hash),
        }))
        if (named.keys.some(({ prefix }, at) => prefix !== changed.keys[at]?.prefix)) {
          yield { form, value: named }
        }
      }
    },
  },
]

/** Whoever writes a signature in another way often leaves out its prefix as well. */
function* withOrWithoutPrefix(form: string, value: SchemeValue): Iterable<Neighbour> {
  yield { form, value }
  if (value.keys.some(({ prefix }) => prefix)) {
    yield { form, value: withKeys(value, (key) => ({ ...key, prefix: undefined })) }
  }
}

function isShared({ algorithm }: KeyForm): boolean {
  return algorithm.startsWith('hmac')
}

/** Of several keys, those that are shared, if any is. */
function withKeys(value: SchemeValue, change: (key: KeyForm) => KeyForm): SchemeValue {
  const [first, ...others] = value.keys
  const sharesNone = !value.keys.some(isShared)
  const changed = (key: KeyForm) => (sharesNone || isShared(key) ? change(key) : key)
  return { ...value, keys: [changed(first), ...others.map(changed)] }
}
