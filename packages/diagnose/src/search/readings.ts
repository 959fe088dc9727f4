import type { RequestHead, Scheme, WebhookError } from '@webhook-receiver/core'
import { isWebhookError } from '@webhook-receiver/core/adapter'
import {
  clockReader,
  cutScheme,
  headerAt,
  type Mistake,
  namesOf,
  neighbourScheme,
  type SchemeValue,
  type Sent,
  SIGNATURE_MISTAKES,
  SIGNED_MISTAKES,
  schemeValueOf,
  sentenceOf,
  sentOf,
  TIME_MISTAKES,
  WRITTEN_MISTAKES,
  withTimestamp,
} from '@webhook-receiver/schemes/neighbours'
import type { Assumption, Cause } from '../forms/finding.ts'
import { HEADER_FORMS, type SignedRequest, withHeader } from '../forms/header-forms.ts'
import { URL_FORM } from '../forms/url-forms.ts'

/** A request as its sender may have meant it: verified by `scheme`, which may be a neighbour of the one that was given. */
export interface Reading {
  readonly scheme: Scheme
  readonly request: RequestHead
  /** One cause, or two; none for the request as it was sent. */
  readonly assumptions: readonly Assumption[]
}

/** The ways in which a request can be read. Each has a signature that can be compared. */
export interface Readings {
  readonly asSent: readonly Reading[]
  /** With one cause each. */
  others(): readonly Reading[]
  /** Those of them that are tried together with another cause. */
  pairs(): readonly Reading[]
  /** With two causes each. */
  doubles(): readonly Reading[]
  /** Why the head as it was sent cannot be read. */
  readonly fault: WebhookError | undefined
}

/** A value whose signature can be read in a request, whatever is signed. */
interface Base {
  readonly value: SchemeValue
  readonly request: RequestHead
  readonly sent: Sent
  readonly assumptions: readonly Assumption[]
  /** What else is assumed where what is signed is not in question: its timestamp has another form. */
  readonly unit?: Assumption | undefined
}

/** How many readings are tried together with another cause. */
const MOST_PAIRS = 12

/** @param names the names of the headers of the request, as far as they are known. */
export function readingsOf(
  scheme: Scheme,
  head: RequestHead,
  names: readonly string[] = [],
): Readings {
  const value = schemeValueOf(scheme)
  const own = value ? namesOf(value.signature) : []
  const at = value?.timestamp?.at
  const time = at && 'header' in at ? namesOf(at) : []
  // Signature and timestamp have mistakes of their own.
  const others = scheme.headers.filter((name) => ![...own, ...time].includes(name))
  const foreign = names.filter((name) => !scheme.headers.includes(name))
  const request: SignedRequest = { ...head, names: scheme.headers, others, foreign }
  const fault = faultOf(scheme, request)
  const given = { scheme, request: head, assumptions: [] }
  const asSent = fault
    ? []
    : value
      ? reading(withTimestamp(value, sentOf(value, head.header).timestamp), head, [])
      : [given]
  const made = once(() => {
    const changed = changedHeads(scheme, request, fault)
    if (!value) return { single: changed, double: [] }
    const bases = basesOf(value, request, changed, fault, scheme.idHeader)
    const all = unique([
      ...changed,
      ...bases.flatMap(plain),
      ...(fault ? cutReading(value, request) : []),
      ...bases.flatMap(messagesOf),
    ])
    return {
      single: all.filter(({ assumptions }) => assumptions.length === 1),
      double: all.filter(({ assumptions }) => assumptions.length === 2),
    }
  })
  return {
    asSent,
    fault,
    others: () => made().single,
    pairs: () =>
      made()
        .single.filter((reading) => fault !== undefined || canPair(reading))
        .slice(0, MOST_PAIRS),
    doubles: () => made().double,
  }

  function plain({ value, request, sent, assumptions, unit }: Base): readonly Reading[] {
    const all = unit ? [...assumptions, unit] : assumptions
    if (all.length === 0) return []
    return reading(withTimestamp(value, sent.timestamp), request, all)
  }
}

/** Two mistakes may lead to the same request and the same value. */
function unique(readings: readonly Reading[]): readonly Reading[] {
  const seen = new Set<string>()
  return readings.filter(({ scheme, request }) => {
    const { signature, keys, signed } = schemeValueOf(scheme) ?? {}
    const heads = scheme.headers.map((name) => request.header(name))
    const id = JSON.stringify([signature, keys, signed, heads, request.url])
    return seen.size < seen.add(id).size
  })
}

function canPair({ assumptions: [first] }: Reading): boolean {
  return first !== undefined && Boolean(first.cause.pairs)
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** What happened to the headers on the way, verified by the scheme itself. */
function changedHeads(
  scheme: Scheme,
  request: SignedRequest,
  fault: WebhookError | undefined,
): readonly Reading[] {
  // Another URL repairs no header, and there are hundreds.
  const forms = fault ? HEADER_FORMS : [...HEADER_FORMS, URL_FORM]
  return forms.flatMap((cause) =>
    cause
      .variants(request)
      .filter((variant) => !faultOf(scheme, variant.request))
      .map(({ name: form, request: changed }) => ({
        scheme,
        request: changed,
        assumptions: [{ cause, form }],
      })),
  )
}

/** Every value by which the signature of the request can be read. */
function basesOf(
  value: SchemeValue,
  request: SignedRequest,
  changed: readonly Reading[],
  fault: WebhookError | undefined,
  idHeader: string | undefined,
): readonly Base[] {
  const base = (edited: SchemeValue, head: RequestHead, assumptions: readonly Assumption[]) =>
    isReadable(edited, head)
      ? [{ value: edited, request: head, sent: sentOf(edited, head.header, idHeader), assumptions }]
      : []
  if (!fault) return base(value, request, [])
  const renamed = changed.flatMap((one) => base(value, one.request, one.assumptions))
  const unit = unitOf(value, request)
  const bare = base(value, request, []).map((one) => ({ ...one, unit }))
  const written = writtenHeads(value, request)
  const edits = editsOf(SIGNATURE_MISTAKES, value)
  return [
    ...bare,
    ...written.flatMap((one) => base(value, one.request, [one.assumption])),
    ...edits.flatMap((one) => base(one.value, request, [one.assumption])),
    ...renamed,
    // A signature in another encoding, or by another hash, often lacks its prefix as well.
    ...edits.flatMap((one) => [
      ...editsOf(SIGNATURE_MISTAKES, one.value)
        .filter(({ assumption }) => assumption.cause.code !== one.assumption.cause.code)
        .flatMap((other) => base(other.value, request, [one.assumption, other.assumption])),
      ...written.flatMap((other) =>
        base(one.value, other.request, [one.assumption, other.assumption]),
      ),
    ]),
  ]
}

interface Edited {
  readonly value: SchemeValue
  readonly assumption: Assumption
}

function editsOf(
  mistakes: readonly Mistake[],
  value: SchemeValue,
  sent: Sent = { timestamp: undefined, ids: [] },
): readonly Edited[] {
  return mistakes.flatMap((mistake) => {
    const cause = causeOf(mistake, value)
    return [...mistake.neighbours(value, sent)].map(({ form, value: edited }) => ({
      value: edited,
      assumption: { cause, form },
    }))
  })
}

function writtenHeads(value: SchemeValue, request: RequestHead) {
  const [name] = namesOf(value.signature).filter((one) => request.header(one))
  const text = name && headerAt(value.signature, request.header)
  if (!name || !text) return []
  return WRITTEN_MISTAKES.flatMap((mistake) => {
    const assumption = { cause: causeOf(mistake, value) }
    return [...new Set(mistake.repaired(text, value))]
      .filter((repaired) => repaired !== text && repaired !== '')
      .map((repaired) => ({ request: withHeader(request, name, repaired), assumption }))
  })
}

/** What is wrong where everything is but the timestamp, which the scheme cannot read. */
function unitOf(value: SchemeValue, request: RequestHead): Assumption | undefined {
  const { timestamp } = sentOf(value, request.header)
  if (timestamp === undefined || !value.timestamp) return undefined
  return clockReader(value.timestamp)(timestamp) === undefined
    ? { cause: TIMESTAMP_UNIT }
    : undefined
}

const TIMESTAMP_UNIT: Cause = {
  code: 'timestamp_unit',
  what: 'is right, but the timestamp is not written as the service writes it',
  fix: 'Make the sender write the timestamp in the unit of the service, and sign that text.',
}

/** The request with what is signed in each other way. */
function messagesOf({ value, request, sent, assumptions }: Base): readonly Reading[] {
  if (assumptions.length > 1) return []
  const mistakes = [...SIGNED_MISTAKES, ...TIME_MISTAKES].filter(
    ({ pairs }) => pairs || assumptions.length === 0,
  )
  return editsOf(mistakes, value, sent).flatMap((one) =>
    reading(withTimestamp(one.value, sent.timestamp), request, [one.assumption, ...assumptions]),
  )
}

function reading(
  value: SchemeValue | undefined,
  request: RequestHead,
  assumptions: readonly Assumption[],
): readonly Reading[] {
  if (!value) return []
  const scheme = neighbourScheme(value)
  return faultOf(scheme, request) ? [] : [{ scheme, request, assumptions }]
}

/** What is cut off no edit of a value reads. */
export const CUT: Cause = {
  code: 'signature_cut',
  what: 'is cut off: it is the beginning of the right one',
  fix: 'Make the sender send the whole signature, and every proxy pass it on.',
}

function cutReading(value: SchemeValue, request: RequestHead): readonly Reading[] {
  const fixed = withTimestamp(value, sentOf(value, request.header).timestamp)
  if (!fixed) return []
  const scheme = cutScheme(fixed)
  return faultOf(scheme, request) ? [] : [{ scheme, request, assumptions: [{ cause: CUT }] }]
}

/** Whether the signature can be read, whatever is signed. */
function isReadable(value: SchemeValue, request: RequestHead): boolean {
  const bare: SchemeValue = { ...value, timestamp: undefined, signed: ['body'], body: 'json' }
  return !faultOf(neighbourScheme(bare), request)
}

function causeOf(
  mistake: Pick<Mistake, 'code' | 'what' | 'fix' | 'pairs'>,
  value: SchemeValue,
): Cause {
  const { code, what, fix, pairs } = mistake
  return { code, what: sentenceOf(what, value), fix: sentenceOf(fix, value), pairs }
}

function faultOf(scheme: Scheme, request: RequestHead): WebhookError | undefined {
  try {
    scheme.readHead(request)
    return undefined
  } catch (error) {
    if (isWebhookError(error)) return error
    throw error
  }
}
