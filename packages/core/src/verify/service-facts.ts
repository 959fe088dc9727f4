/** What the user of a service calls its secret, and takes for it. */
export interface SecretFacts {
  /** Its name with the service, such as `the signing secret of the endpoint`. */
  readonly called: string
  /** How it begins. Another one is used too, with a warning. */
  readonly begins?: string | undefined
  /** By their beginning, what else users pass, such as `{ sk_: 'an API key' }`. */
  readonly mistaken?: Readonly<Record<string, string>> | undefined
  /** Whether the user makes it up, so that it may begin like something else: a warning, where another is a TypeError. */
  readonly chosen?: boolean | undefined
}

/** How a request that is not signed as it should be shows its service. */
export interface RequestFacts {
  /** Headers that its requests have besides those of the signature, in lower case, and how their values begin. */
  readonly recognised?: Readonly<Record<string, string>> | undefined
  /** Why it may not sign, and what to do, such as `its webhook has no secret: fill in the field Secret`. */
  readonly signing?: string | undefined
  /** By their header, signatures that are never accepted, such as `{ 'x-hub-signature': 'SHA-1' }`. */
  readonly weak?: Readonly<Record<string, string>> | undefined
  /** What has to be done so that it sends POST, such as `choose HTTP POST for the number`. */
  readonly post?: string | undefined
}
