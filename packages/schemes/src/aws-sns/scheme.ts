import { type Scheme, type SignedHead, WebhookError } from '@webhook-receiver/core'
import {
  BOOLEAN,
  CLOCK,
  checkOptions,
  functionRule,
  getText,
  isError,
  loader,
  madeBy,
  optional,
  quoted,
  readTimestamp,
  rejection,
  signatureMissing,
  wrongMethod,
} from '@webhook-receiver/core/internal'
import { crypto } from '#crypto'
import type { ServiceKind } from '../kind.ts'
import { certificates } from './certificates.ts'
import { type Fields, type Message, readMessage } from './message.ts'
import { isAt, isCertificate, readTopic, type Topic } from './topic.ts'

export interface AwsSnsOptions {
  /** Confirms the subscription of the topic. Without it, `SubscriptionConfirmation` is an event like others. @default false */
  readonly confirm?: boolean | undefined
  /** Gets certificates, and confirms. @default the global fetch */
  readonly fetch?: typeof fetch | undefined
  /** The clock: milliseconds since the epoch. @default Date.now */
  readonly now?: (() => number) | undefined
  /** Decides which requests are rejected with 503 while too many certificates are asked for. @default Math.random */
  readonly random?: (() => number) | undefined
}

interface Head extends SignedHead {
  message?: Message | undefined
  fields?: Fields | undefined
  /** The field that is not as SNS writes it, where there is no message. */
  wrong?: string | undefined
  /** Why it is not a signed message of this topic; '' where that is not known. */
  fault?: string | undefined
}

const OPTIONS = /* @__PURE__ */ optionTable()

/* @__NO_SIDE_EFFECTS__ */
function optionTable() {
  return {
    confirm: [BOOLEAN, false],
    fetch: [optional(functionRule<typeof fetch>('a function like the global fetch'))],
    now: [CLOCK, () => Date.now()],
    random: [functionRule<() => number>('a function such as Math.random'), Math.random],
  } as const
}

type SnsScheme = Scheme<unknown, ServiceKind<'aws-sns', 'signed', 'event'>>

const TYPE = 'x-amz-sns-message-type'
const TITLE = 'Amazon SNS'
const RAW = 'x-amz-sns-rawdelivery'

/** Of the response to a confirmation. */
const MOST_BYTES = 16_384

/**
 * In bytes: for HTTP, a message and its attributes have at most 256 KiB (docs.aws.amazon.com/sns/latest/dg/large-message-payloads.html),
 * of which JSON escapes each with up to six; the other values take less than 8 KiB.
 */
const LARGEST = 6 * 262_144 + 8192

/**
 * Amazon SNS. The secret is the ARN of the topic: every customer of AWS can send signed messages of other topics. `data` holds what is
 * signed: the message and its subject, but not its attributes.
 *
 * @example
 * webhookHandler('arn:aws:sns:eu-west-1:123456789012:orders', handlers, { scheme: awsSns({ confirm: true }) })
 */
export function awsSns(options: AwsSnsOptions = {}): SnsScheme {
  const checked = checkOptions(options, OPTIONS, '{ confirm: true }')
  const { confirm, fetch: fetching = fetch, now, random } = checked
  const keysFor = certificates({ fetch: fetching, now, random })
  // A URL has the token of one subscription: whoever sends its message again confirms nothing more.
  const confirmAt = loader({ now, random }, async (url) => {
    await getText(fetching, url, MOST_BYTES)
    const value = { name: 'SubscriptionConfirmation', response: { status: 200 } }
    return { value, until: Number.POSITIVE_INFINITY }
  })
  const scheme: Scheme<Topic, ServiceKind<'aws-sns', 'signed', 'event'>> = {
    name: 'aws-sns',
    title: TITLE,
    headers: [TYPE],
    idHeader: undefined,
    hasId: true,
    hasEvent: true,
    tolerance: Number.POSITIVE_INFINITY,
    unsigned: [],
    success: { status: 200 },
    patience: 15,
    largest: LARGEST,
    secret: { called: 'the ARN of the topic', isName: true },
    importKey: readTopic,
    readHead(request): Head {
      if (request.method !== 'POST') throw wrongMethod(request, [TYPE], { title: TITLE })
      if (request.header(RAW) === 'true') {
        throw rejection('signature_malformed', {
          header: RAW,
          expected: 'absent: turn raw message delivery off, which is not signed',
          fault: 'is true',
        })
      }
      if (!request.header(TYPE)) throw signatureMissing(request, [TYPE], { title: TITLE })
      return { timestamp: undefined }
    },
    async verify(topic, head: Head, body) {
      const message = messageOf(head, body)
      if (message?.topic !== topic.arn) {
        head.fault ??= message ? OTHER_TOPIC : body.length > 0 ? noMessage(head.wrong) : ''
        return false
      }
      const { certificate } = message
      const isThere = isCertificate(certificate, topic)
      head.fault = isThere ? CHANGED : otherCertificate(certificate, topic)
      if (!isThere) return false
      const keys = await keysFor(certificate).catch(unavailable('The certificate is not available'))
      const content = message.content()
      if (!content) return false
      const isSigned = await crypto.verify(keys[message.version], content, message.signature)
      return isSigned && fieldsOf(head, body) !== undefined
    },
    mismatch: ({ fault }: Head) =>
      fault ? new WebhookError('signature_mismatch', fault) : undefined,
    readTime(head: Head, body) {
      const timestamp = fieldsOf(head, body)?.Timestamp ?? ''
      const time = readTimestamp(timestamp)
      if (time !== undefined) return time
      throw rejection('timestamp_unreadable', { header: 'Timestamp', timestamp, forms: 'RFC 3339' })
    },
    readBody(body, _events, head: Head) {
      const data = fieldsOf(head, body) ?? {}
      return { scheme: 'aws-sns', id: data.MessageId ?? '', event: data.Type ?? '', data }
    },
    // Not the body: anybody can add spaces, attributes and other fields to it.
    identity: (head: Head, body) => messageOf(head, body)?.identity() ?? ['', body],
    ...(confirm && {
      handshake: (head: Head, body: Uint8Array, topic: Topic) => {
        const { Type: type, SubscribeURL: url = '' } = fieldsOf(head, body) ?? {}
        if (type !== 'SubscriptionConfirmation' || !isAt(url, topic)) return undefined
        return confirmAt(url).catch(unavailable('The confirmation failed'))
      },
    }),
  }
  return madeBy('@webhook-receiver/schemes', 'scheme', scheme)
}

const OTHER_TOPIC =
  'The message is of another topic than the secret: pass the ARN of its topic, or end the subscription of this URL there.'
const CHANGED =
  'The topic is the right one, but its certificate did not sign this message: it was changed on the way, or is forged.'

function noMessage(field: string | undefined): string {
  const fault = field
    ? `its ${field} is missing, too long, or not as SNS writes it`
    : 'it is no JSON object, or one of its names or values is not as SNS writes it'
  return `The body is no message of Amazon SNS: ${fault}.`
}

function otherCertificate(url: string, { host }: Topic): string {
  return `The certificate is ${quoted(url, 60)}, and not one of ${host}: the message is forged, or not from AWS itself.`
}

/** SNS does not retry a 4xx, so the status is 503 where its server does not respond. */
function unavailable(what: string): (cause: unknown) => never {
  return (cause) => {
    const why = isError(cause) ? cause.message : 'no response'
    throw new WebhookError('secret_unavailable', `${what}: ${why}.`, { cause })
  }
}

/** One request is read once, before it is verified: what was verified is what handlers get. */
function messageOf(head: Head, body: Uint8Array): Message | undefined {
  if (!('message' in head)) {
    head.message = readMessage(body, (field) => {
      head.wrong = field
    })
  }
  return head.message
}

function fieldsOf(head: Head, body: Uint8Array): Fields | undefined {
  head.fields ??= messageOf(head, body)?.fields()
  return head.fields
}
