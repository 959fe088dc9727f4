import type { SchemeKind, SchemeResponse } from '@webhook-receiver/core'
import type {
  AcceptedReplies,
  MaybeAsync,
  RequestFacts,
  SecretFacts,
} from '@webhook-receiver/core/internal'
import type { Algorithm } from './keys/algorithm.ts'
import type { KeySource } from './keys/source.ts'

/** The claims of a verified token. */
export type Claims = Readonly<Record<string, unknown>>

/** Where something is: in a header, or in the JSON of the body (RFC 6901), which for `body: 'claims'` is that of the token. */
export type Place = { readonly header: string } | { readonly pointer: string }

/** How a service signs by tokens. */
export interface JwtService {
  /** Names the scheme in deliveries and logs: 1 to 64 letters, digits, dots, hyphens and underscores. */
  readonly name: string
  /** The name of the service for people. */
  readonly title?: string | undefined
  /** The header of the token, and whether it stands there behind `Bearer`; or the property of the JSON body that is the token. */
  readonly token:
    | { readonly header: string; readonly bearer?: boolean | undefined }
    | { readonly property: string }
  readonly algorithm: Algorithm
  /** `'secret'`: that of the receiver. Otherwise `jwks()`, `keyById()` or `certificateChain()`, and the secret of the receiver is the `account`. */
  readonly keys: 'secret' | KeySource
  /**
   * How the token covers the body: by a claim with its SHA-256; `'detached'`, because it is what is signed (RFC 7515, appendix F);
   * `'claims'`, because the token is in the body and its claims are the data; or `'unsigned'`, so that whoever holds a token can write bodies
   * until it expires.
   */
  readonly body:
    | { readonly claim: string; readonly encoding: 'base64' | 'base64url' | 'hex' }
    | 'detached'
    | 'claims'
    | 'unsigned'
  /** Whether a body may be empty: its data is then `{}`. @default false */
  readonly mayBeEmpty?: boolean | undefined
  /** The claim `iss`: one of these. */
  readonly issuer?: string | readonly string[] | undefined
  /** The claim `aud`: one of these has to be in it. Required with `jwks()`. */
  readonly audience?: string | readonly string[] | undefined
  /**
   * Whose token it is, which has to be the secret of the receiver: `'email'` with `email_verified`, another claim by its name, or a
   * function of the claims, which may take 5 s. Required where the keys sign for many accounts, as those of `jwks()` and `certificateChain()` do.
   */
  readonly account?: string | ((claims: Claims) => unknown) | undefined
  /** The claim that has to be the public URL of the receiver. */
  readonly url?: string | undefined
  /** What else the claims have to say. What is returned, or resolved to, goes on from "it is signed, but". It may take 5 s. */
  readonly check?: ((claims: Claims) => MaybeAsync<string | undefined>) | undefined
  /** With `'claims'`: by their pointers, claims that are signed in the same way. Their own claims take their place. */
  readonly nested?: readonly string[] | undefined
  /** Whether each token says until when it is valid (`exp`). @default true */
  readonly expires?: boolean | undefined
  /** How long ago a token may be signed (`iat`), in seconds. Only if the service documents it. @default any time */
  readonly tolerance?: number | undefined
  readonly id?: Place | readonly Place[] | undefined
  /** What the log says that the id should be, where it is missing. */
  readonly withoutId?: string | undefined
  readonly event?: Place | readonly Place[] | undefined
  /** What happened, where the event only says to what. */
  readonly action?: Place | undefined
  /** What the service takes for success. @default 204 without a body */
  readonly success?: SchemeResponse | undefined
  /** How long the service waits for the response, in seconds. */
  readonly patience?: number | undefined
  /** Its largest body, in bytes as sent. */
  readonly largest?: number | undefined
  readonly replies?: AcceptedReplies | undefined
  readonly secret?: SecretFacts | undefined
  readonly requests?: RequestFacts | undefined
}

declare const unsigned: unique symbol

/** What nobody has signed: whoever holds a token of the service can have written it. */
export type Unsigned<Data> = Data & { readonly [unsigned]?: true }

/** What the types of deliveries depend on, read from how a service signs. */
export interface JwtKind<Service extends JwtService> extends SchemeKind {
  readonly name: Service['name']
  readonly id: Has<Service, 'id'>
  readonly idSigned: Service['body'] extends 'unsigned' ? false : IsPointer<Service['id']>
  readonly bodySigned: Service['body'] extends 'unsigned' ? false : true
  readonly event: Has<Service, 'event'>
  readonly action: Has<Service, 'action'>
  readonly events: {
    readonly [event: string]: Service['body'] extends 'unsigned'
      ? Unsigned<Readonly<Record<string, unknown>>>
      : Readonly<Record<string, unknown>>
  }
}

/** Without `strictNullChecks`, as in a new project of Next.js, `undefined` is of every type: only the optional ones are then left out. */
type Has<Service, Name> = Name extends keyof Service
  ? object extends Pick<Service, Name>
    ? false
    : undefined extends Service[Name]
      ? undefined extends string
        ? true
        : false
      : true
  : false

type IsPointer<Places> = [Places] extends [{ readonly pointer: string }]
  ? true
  : [Places] extends [readonly { readonly pointer: string }[]]
    ? true
    : false
