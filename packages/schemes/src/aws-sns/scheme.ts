import type { Scheme } from '@webhook-receiver/core'
import {
  isRecord,
  parseJson,
  readTimestamp,
  rejection,
  type SignedHead,
  signatureMissing,
} from '@webhook-receiver/core/adapter'
import { crypto } from '#crypto'
import { decode } from '../engine/encoding.ts'
import type { ServiceKind } from '../kind.ts'
import { certificates, get } from './certificates.ts'
import { type Message, signedFields, signedText } from './message.ts'

export interface AwsSnsOptions {
  /** Confirms the subscription of the topic. Without it, `SubscriptionConfirmation` is an event like others. @default false */
  readonly confirm?: boolean | undefined
  /** Gets certificates, and confirms. @default the global fetch */
  readonly fetch?: typeof fetch | undefined
  /** The clock: milliseconds since the epoch. @default Date.now */
  readonly now?: (() => number) | undefined
}

/** The topic that is accepted, and the only host that its certificates may come from. */
interface Topic {
  readonly arn: string
  readonly host: string
}

interface Head extends SignedHead {
  message?: Message | undefined
}

type SnsScheme = Scheme<unknown, ServiceKind<'aws-sns', 'signed', 'event'>>

const TYPE = 'x-amz-sns-message-type'
const ARN = /^arn:(aws(?:-cn|-us-gov)?):sns:([a-z\d-]+):\d{12}:[\w-]{1,256}(?:\.fifo)?$/
const CERTIFICATE = /^\/SimpleNotificationService-[\da-f]{32}\.pem$/

/**
 * Amazon SNS. The secret is the ARN of the topic: every customer of AWS can send signed messages of other topics. `data` holds what is
 * signed: the message and its subject, but not its attributes.
 *
 * @example
 * webhookHandler('arn:aws:sns:eu-west-1:123456789012:orders', handlers, { scheme: awsSns({ confirm: true }) })
 */
export function awsSns(options: AwsSnsOptions = {}): SnsScheme {
  const { confirm = false, fetch: fetching = fetch, now = Date.now } = options
  const keysFor = certificates({ fetch: fetching, now })
  const scheme: Scheme<Topic, ServiceKind<'aws-sns', 'signed', 'event'>> = {
    name: 'aws-sns',
    headers: [TYPE],
    idHeader: undefined,
    hasId: true,
    hasEvent: true,
    tolerance: Number.POSITIVE_INFINITY,
    unsigned: [],
    success: { status: 200 },
    patience: 15,
    importKey: readTopic,
    readHead(request): Head {
      const { method } = request
      if (method !== 'POST') throw rejection('method_not_allowed', { method })
      if (!request.header(TYPE)) throw signatureMissing(request, TYPE)
      return { timestamp: undefined }
    },
    async verify({ arn, host }, head: Head, body) {
      const message = messageOf(head, body)
      const fields = message && signedFields(message)
      const { SignatureVersion: version, Signature: text, SigningCertURL: url } = message ?? {}
      const signature = typeof text === 'string' && decode('base64', text)
      const pinned = typeof url === 'string' && isPinned(url, host)
      if (fields?.TopicArn !== arn || !signature || !pinned) return false
      if (version !== '1' && version !== '2') return false
      const keys = await keysFor(url).catch(unavailable)
      const content = new TextEncoder().encode(signedText(fields))
      return crypto.verify(keys[version], content, signature)
    },
    readTime(head: Head, body) {
      const timestamp = fieldsOf(head, body).Timestamp ?? ''
      const time = readTimestamp(timestamp)
      if (time !== undefined) return time
      throw rejection('timestamp_unreadable', { header: 'Timestamp', timestamp, forms: 'RFC 3339' })
    },
    readBody(body, _events, head: Head) {
      const data = fieldsOf(head, body)
      const delivery = { scheme: 'aws-sns', id: data.MessageId ?? '', event: data.Type ?? '', data }
      return delivery
    },
    ...(confirm && {
      handshake: (head: Head, body: Uint8Array, { host }: Topic) => {
        const { Type: type, SubscribeURL: url = '' } = fieldsOf(head, body)
        if (type !== 'SubscriptionConfirmation' || !isAt(url, host)) return undefined
        const confirmed = { name: type, response: { status: 200 } }
        return get(fetching, url).then(() => confirmed, unavailable)
      },
    }),
    contentOf: (delivery) => Reflect.get(delivery, 'data'),
    replaceContent(delivery, content) {
      Reflect.set(delivery, 'data', content)
    },
    claimedTime: () => undefined,
  }
  return scheme
}

function readTopic(secret: string, label: string): Topic {
  const [, partition, region] = ARN.exec(secret) ?? []
  if (!region) {
    throw new TypeError(
      `${label} is not the ARN of a topic, such as arn:aws:sns:eu-west-1:123456789012:orders: only its messages are accepted.`,
    )
  }
  return { arn: secret, host: `sns.${region}.amazonaws.com${partition === 'aws-cn' ? '.cn' : ''}` }
}

/** Never a host from the request: that of the topic, with TLS, and nothing that a parser could read differently. */
function isAt(url: string, host: string): boolean {
  return url.startsWith(`https://${host}/`) && /^[!-~]+$/.test(url)
}

function isPinned(url: string, host: string): boolean {
  return isAt(url, host) && CERTIFICATE.test(url.slice(`https://${host}`.length))
}

/** What SNS cannot be asked now is no reason to reject for ever: 503. */
function unavailable(cause: unknown): never {
  throw rejection('secret_unavailable', undefined, { cause })
}

/** One request is parsed once, before it is verified: what was verified is what handlers get. */
function messageOf(head: Head, body: Uint8Array): Message | undefined {
  if ('message' in head) return head.message
  try {
    const parsed = parseJson(body)
    head.message = isRecord(parsed) ? parsed : undefined
  } catch {
    head.message = undefined
  }
  return head.message
}

function fieldsOf(head: Head, body: Uint8Array): Readonly<Record<string, string>> {
  const message = messageOf(head, body)
  return (message && signedFields(message)) ?? {}
}
