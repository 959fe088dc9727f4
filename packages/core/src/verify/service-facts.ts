/** What the user of a service calls its secret, and takes for it. */
export interface SecretFacts {
  /** Its name with the service, such as `the signing secret of the endpoint`. */
  readonly called: string
  /** How it begins. Another one is used too, with a warning. */
  readonly begins?: string | undefined
  /** By their beginning, what else users pass, such as `{ sk_: 'an API key' }`. */
  readonly mistaken?: Readonly<Record<string, string>> | undefined
  /** Which of several such secrets signs, and what of a request names it, such as `each endpoint has its own, and so has test mode`. */
  readonly several?: string | undefined
  /** Whether the user makes it up, so that it may begin like something else: a warning, where another is a TypeError. */
  readonly chosen?: boolean | undefined
  /** Whether it is none, but names whose requests are accepted: then it may be short. */
  readonly isName?: boolean | undefined
  /** What stands between several secrets, where the service keeps them in one text. Any of them may match. */
  readonly separator?: string | undefined
}

/** Which replies of a handler a service acts on. */
export interface AcceptedReplies {
  /** By status: the media types of the body; an empty list for none. With 429 and 5xx, the body may be any. */
  readonly statuses: Readonly<Record<number, readonly string[]>>
  /** A sentence that says how to write what another status would say. */
  readonly instead?: string | undefined
}

/** How a request that is not signed as it should be shows its service. */
export interface RequestFacts {
  /** Headers that its requests have besides those of the signature, in lower case, and how their values begin. */
  readonly recognised?: Readonly<Record<string, string>> | undefined
  /** Why it may not sign, and what to do, such as `its webhook has no secret: fill in the field Secret`. */
  readonly signing?: string | undefined
  /** By their header, signatures that it sends beside its own and that are never accepted, such as `{ 'x-hub-signature': 'SHA-1' }`. */
  readonly weak?: Readonly<Record<string, string>> | undefined
  /** What else the service sends, which another secret signs, or another scheme, or nothing. */
  readonly others?: readonly OtherRequest[] | undefined
  /** Where it sends its secret, in a request before it signs any: `listen` of the command shows it. */
  readonly secretAt?: SecretPlace | undefined
  /** What has to be done so that it sends POST, such as `choose HTTP POST for the number`. */
  readonly post?: string | undefined
}

/** A header, or a pointer (RFC 6901) into a JSON body. */
interface SecretPlace {
  /** In lower case. */
  readonly header?: string | undefined
  readonly pointer?: string | undefined
  /** Whether the response has to repeat the header. */
  readonly echo?: boolean | undefined
}

/** Something that a service sends besides, and how that shows in the request: in a header, or else in its body. */
export interface OtherRequest {
  /** In lower case. */
  readonly header?: string | undefined
  /** How the value of the header begins. Default: any value. */
  readonly begins?: string | undefined
  /** A text in the first or the last 1,024 bytes of the body. */
  readonly body?: string | undefined
  /** Whether it has no signature of the scheme: it is looked for where that is missing, and the others where one does not match. */
  readonly unsigned?: boolean | undefined
  /** Goes on from "The request is", such as `a test notification, which is signed with the secret that is shown beside it`. */
  readonly is: string
}
