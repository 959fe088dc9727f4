import type { AcceptedReplies, RequestFacts, SecretFacts } from '@webhook-receiver/core/internal'

/** How a signature is made. GitHub's SHA-1 and others of its kind are never a second choice: one key has one algorithm. */
export type Algorithm =
  | 'hmac-sha1'
  | 'hmac-sha256'
  | 'hmac-sha512'
  | 'ed25519'
  | 'ecdsa-p256'
  | 'rsa-sha256'

/** How bytes are written as text. Upper-case hexadecimal digits and missing or superfluous padding are never accepted. */
export type Encoding = 'hex' | 'base64' | 'base64url'

/** How a secret becomes the key. */
export interface KeyForm {
  /** How the signature is made. */
  readonly algorithm: Algorithm
  /**
   * What the secret is: the key itself as text, or the key in an encoding. A public key is `'pem'`, `'spki'` (DER in base64), or, for
   * Ed25519, the 32 bytes in `'hex'` or `'base64'`.
   */
  readonly secret: 'text' | 'hex' | 'base64' | 'spki' | 'pem'
  /** What stands before the key, such as `whsec_`. Where a scheme has several keys, each needs one, which says which of them the secret is. */
  readonly secretPrefix?: string | undefined
  /** What stands before each signature, such as `sha256=` or `v1,`. */
  readonly prefix?: string | undefined
}

/** Where a signature is, and how it is written. */
interface SignaturePlace extends HeaderPlace {
  /** How its bytes are written. */
  readonly encoding: Encoding
  /**
   * Between several signatures in one header, or between the pairs of `field`. In `', '` the space may be missing, and in front of `' '`
   * there may be a comma. Default: the header is one signature.
   */
  readonly separator?: string | undefined
  /** For a header of pairs such as `t=1,v1=2`: the name of the signatures. */
  readonly field?: string | undefined
  /**
   * Whether each of the names is a separate header with a signature by another secret, of which any may match. Its separator is `';'`, as
   * if they were one header.
   * @default false
   */
  readonly each?: boolean | undefined
}

/** Something in a header, a field of the signature's header, or the parsed body (a JSON pointer, RFC 6901; a form is an object of its fields). */
export type Place = HeaderPlace | FieldPlace | PointerPlace

export interface HeaderPlace {
  /** Its name in lower case. Of several names, the first that is there counts. */
  readonly header: string | readonly [string, ...(readonly string[])]
}

interface FieldPlace {
  /** A field of the header with the signature. */
  readonly field: string
}

export interface PointerPlace {
  /** A JSON pointer (RFC 6901) into the body; a form is an object of its fields. */
  readonly pointer: string
  /**
   * How the events begin that come as a form, which has this field: a signer writes it there, and nowhere else. Verification does not
   * look at it. Default: a place of events that come as JSON.
   */
  readonly form?: string | undefined
  /**
   * The events that have their name there, and no id in the body: a signer writes no others there. Verification does not look at it.
   * Default: all events.
   */
  readonly events?: readonly string[] | undefined
}

/**
 * A part of what is signed. `'timestamp'`: as it was sent. `'url'`: the public URL. `'form'`: the fields of a form, at most
 * 1000, sorted by name, each name followed by its value, with nothing in between.
 */
export type Part = TextPart | HeaderPlace | 'timestamp' | 'url' | 'body' | 'form'

/** The same characters in each request. */
interface TextPart {
  readonly text: string
}

export interface TimestampForm {
  /** Where it is. */
  readonly at: Place
  /**
   * Seconds have 10 digits and milliseconds 13, RFC 3339 has a zone, and `'utc'` is the same, but may have none: nothing else is
   * accepted. `'any'`: any of the first three or an HTTP date, as in the default format. No other part but a text may follow `'utc'` and
   * `'any'`.
   */
  readonly unit: 's' | 'ms' | 'rfc3339' | 'utc' | 'any'
  /** The replay window in seconds: only where the service documents one, or makes a new signature for each attempt. Default: none. */
  readonly tolerance?: number | undefined
}

/** A request that is verified like the others, but only checks the endpoint. */
interface HandshakeForm {
  /** What the service calls it. */
  readonly name: string
  /** The values by which it is recognised, by JSON pointer. */
  readonly when: Readonly<Record<string, string | number>>
  /** How a signed header begins besides, such as `{ header: 'webhook-id', text: 'msg_verification_' }`. */
  readonly begins?: { readonly header: string; readonly text: string } | undefined
  /** Whether the body has nothing else but these values and the string of `echo`, so that no event is taken for it. @default false */
  readonly exactly?: boolean | undefined
  /** What is sent back. */
  readonly response: {
    readonly status: number
    /** No other header. Default: that of text or JSON, by what is sent back. */
    readonly headers?:
      | { readonly 'content-type': `${'text/plain' | 'application/json'}${'' | '; charset=utf-8'}` }
      | undefined
    /** The JSON pointer to the string that is sent back. Default: no body. */
    readonly echo?: string | undefined
    /** The object that is sent back: in it, `'echo'` stands for that string, and `'mac'` for its MAC by the key of the signature. */
    readonly json?: Readonly<Record<string, 'echo' | 'mac' | number>> | undefined
  }
}

/** A check of the endpoint by an unsigned GET: its query has all of `when`, the token, if there is one, and a text to send back. */
interface GetCheck {
  /** What the service calls it. */
  readonly name: string
  /** The fields of the query by which it is recognised. Default: that it has the text to send back. */
  readonly when?: Readonly<Record<string, string>> | undefined
  /** The field with the token that the service was given, which is the option `verifyToken`. Default: it sends none. */
  readonly token?: string | undefined
  /** The field that is sent back: 1 to 256 letters, digits, dots, hyphens and underscores. */
  readonly echo: string
}

/** The last parameter of the signed URL, where it has the SHA-256 of the body in hexadecimal digits: it stands for `'form'`. */
interface BodyDigest {
  /** The name of the parameter. */
  readonly query: string
  /**
   * What every form of the service has, as it is signed: the name of a field and the text with which its value begins, joined, followed by
   * this number of lowercase hexadecimal digits. A URL that has it is the beginning of a signed form, whose fields a stranger may have
   * named, so it has no digest. Required where `'form'` is signed.
   */
  readonly form?: { readonly text: string; readonly digits: number } | undefined
}

/** How a service signs its requests, as data. */
export interface SchemeValue {
  /** Names the service in deliveries and logs. */
  readonly name: string
  /** The name of the service for people. Default: `the service`. */
  readonly title?: string | undefined
  /** The page on which the service describes its signatures. */
  readonly documentation?: string | undefined
  /** The revision of the service's description, where that can still change. */
  readonly revision?: string | undefined
  /** The day on which the value was last compared with the service, `YYYY-MM-DD`. */
  readonly checked: string
  /** Where the signature is, and how it is written. */
  readonly signature: SignaturePlace
  /** One or several: for services with a shared secret and a public key. */
  readonly keys: readonly [KeyForm, ...(readonly KeyForm[])]
  /** What is signed, in its order. */
  readonly signed: readonly [Part, ...(readonly Part[])]
  /** For a service that signs the SHA-256 of some bodies in its URL. */
  readonly bodyDigest?: BodyDigest | undefined
  /** Whether the service may sign another spelling of the URL than it requests: with or without its port, or with its query encoded otherwise. */
  readonly urlSpellings?: boolean | undefined
  /** The characters that the service decodes in its URL before it signs that, such as `/:`. Default: it signs the URL as requested. */
  readonly urlDecoded?: string | undefined
  /** Where the time of the signature is. Default: the service signs none, or sends none. */
  readonly timestamp?: TimestampForm | undefined
  /** Where the identifier of a delivery is: the first of these that is there. Only a signed one is required. Default: deliveries have none. */
  readonly id?: readonly (HeaderPlace | PointerPlace)[] | undefined
  /** Whether some events have none, where it is signed: the key of their deliveries is then of what was signed. @default false */
  readonly idIsOptional?: boolean | undefined
  /** Where the name of the event is: the first of these that is there. Default: deliveries have none. */
  readonly event?: readonly (HeaderPlace | PointerPlace)[] | undefined
  /**
   * Where the body says what happened, if the event only says to what: `opened`, where the event is `issues`. The first of these that is
   * there. The events of such a service have no dots in their names. Default: the event says both.
   */
  readonly action?: readonly Pick<PointerPlace, 'pointer'>[] | undefined
  /** `'json or form'`: JSON if its first character is `{` or `[`, whatever the Content-Type. @default 'json' */
  readonly body?: 'json' | 'form' | 'json or form' | undefined
  /** The field of a form that holds the delivery as JSON. */
  readonly jsonField?: string | undefined
  /** Requests that are verified like the others, but only check the endpoint. */
  readonly handshakes?: readonly HandshakeForm[] | undefined
  /** Where a request names its subscription, if each has its own secret. */
  readonly subscription?: HeaderPlace | undefined
  /** A check of the endpoint by an unsigned GET. */
  readonly getCheck?: GetCheck | undefined
  /** Whether it also asks by HEAD, and takes 200 for a yes. @default false */
  readonly headCheck?: boolean | undefined
  /**
   * What it names itself where it asks by OPTIONS whether it may send: the header `WebHook-Request-Origin` of CloudEvents (HTTP 1.1 Web
   * Hooks, section 4). Only this origin gets a yes.
   */
  readonly originCheck?: string | undefined
  /** The header in which it sends its secret, in an unsigned request that the option `expectSecret` is for: the response has it, too. */
  readonly secretOffer?: 'x-hook-secret' | undefined
  /** Whether it takes a rejection with a body for a fault of the endpoint, so that none has one. @default false */
  readonly emptyRejections?: boolean | undefined
  /** Whether the service acts on the response. @default false */
  readonly decision?: boolean | undefined
  /** Which replies the service accepts. Default: any. */
  readonly replies?: AcceptedReplies | undefined
  /** The status that the service takes for success. @default 204 */
  readonly success?: number | undefined
  /** How long the service waits for the response, in seconds. */
  readonly patience?: number | undefined
  /** Whether the service retries a delivery until it gets a success status. */
  readonly retries?: boolean | undefined
  /**
   * The largest body that the service sends, in bytes as sent: the default of the `limit` option, up to 33_554_432.
   * @default unknown: the default of `limit` is 1_048_576
   */
  readonly largest?: number | undefined
  /** What its users call the secret, and take for it. */
  readonly secret?: SecretFacts | undefined
  /** How a request that is not signed as it should be shows the service. */
  readonly requests?: RequestFacts | undefined
}
