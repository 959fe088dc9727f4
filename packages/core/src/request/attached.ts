import type { Delivery, Verification } from '../delivery.ts'

/**
 * What a request's `delivery` is in frameworks where one declaration serves every route: the type of
 * the body, where that was given a delivery's type; elsewhere there may be none.
 */
export type Attached<Request> = Request extends { body: infer Body }
  ? IsAny<Body> extends true
    ? Delivery | undefined
    : Body extends { readonly known: boolean; readonly event: string }
      ? Body
      : Delivery | undefined
  : Delivery | undefined

/** What a request's `verification` is: there wherever the types say that a delivery is. */
export type AttachedVerification<Request> =
  undefined extends Attached<Request> ? Verification | undefined : Verification

type IsAny<Type> = 0 extends 1 & Type ? true : false
