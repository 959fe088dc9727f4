import type { Scheme, SchemeKind } from '@webhook-receiver/core'
import { splitName } from '@webhook-receiver/core/internal'
import { readService } from '#read-service'

export { withMistake } from '@webhook-receiver/schemes/neighbours'
export { type KeyPair, keyPairFor } from './key-pair.ts'

/** What people and tools know of a service beside its scheme: the JSON file `services/<name>.json` of this package. No receiver reads it. */
export interface ServiceFile {
  readonly title: string
  /** What else people search for. */
  readonly words: readonly string[]
  /** The usual environment variable of the secret. */
  readonly variable: string
  /** Where the secret is found. */
  readonly where: string
  /** What has to be set in the service. */
  readonly settings: readonly string[]
  /** Code of what a handler may reply, where the service waits for that. */
  readonly reply?: string | undefined
  /** Why two of its deliveries cannot be told apart, so that a store would drop the second. */
  readonly alike?: string | undefined
  /** Which of its deliveries need a reply and no store, where others may have one. */
  readonly storeless?: string | undefined
  /** The service's own commands that send events. */
  readonly tools: readonly { readonly run: string; readonly note: string }[]
  readonly order: string
  readonly retries: string
  /** For how long or how often it retries, in a few words. */
  readonly retriesFor?: string | undefined
  /** How long it waits for a response, where that is more than a number of seconds. */
  readonly waits?: string | undefined
  /** Where the service documents its retries. */
  readonly source: string
  /** Why its bodies can be larger than 1 MiB, and where that is documented. */
  readonly largest?: { readonly why: string; readonly source: string } | undefined
  /** Where it documents its signatures, if no value says so. */
  readonly documentation?: string | undefined
  readonly mistakes: readonly Mistake[]
  /** What it shows where a delivery failed, and what that means. */
  readonly shows?: readonly { readonly shows: string; readonly means: string }[] | undefined
  /** How its own SDK verifies, and what has which name there and here. */
  readonly sdk?:
    | {
        readonly package: string
        readonly verifies: string
        readonly names: Readonly<Record<string, string>>
        /** Where it differs from the service: probes of the doctor that it fails, which are then notes and not faults. */
        readonly accepts?: readonly string[] | undefined
      }
    | undefined
  /** Code that gives the scheme the types of the service's own package. */
  readonly types?:
    | {
        readonly package: string
        readonly code: readonly string[]
        /** Functions of a route that read typed properties. */
        readonly handlers: readonly string[]
      }
    | undefined
  /** How the id of a delivery begins, such as `evt_`. */
  readonly idBegins?: string | undefined
  /** Headers of every sample that the scheme does not write. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** By event; by another name where the service has no events. */
  readonly samples: Readonly<Record<string, Sample>>
}

/** One that is often made. */
export interface Mistake {
  readonly mistake: string
  readonly fix: string
  /** How to make it, to see what the receiver says: with the secret `start`, or with the first sample, but for this. */
  readonly try: {
    readonly start?: string | undefined
    /** By another secret, or not at all. */
    readonly signed?: 'other' | false | undefined
    readonly method?: 'GET' | undefined
    /** The option of the receiver. */
    readonly publicUrl?: string | undefined
    /** In seconds. */
    readonly age?: number | undefined
    readonly headers?: Readonly<Record<string, string>> | undefined
  }
}

/** A made-up event, as the service sends it. */
export interface Sample {
  /** What its event stands for, where its name does not say that. */
  readonly title?: string | undefined
  /** Without what the scheme's `compose` writes: id, event and time. An array where a body holds several events. */
  readonly body: object
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** The file of a service, by the name of its scheme; `undefined` if there is none. */
export function serviceFile(name: string): ServiceFile | undefined {
  // A scheme of somebody else may have any name.
  return /^[\w-]+$/.test(name) ? (readService(name) as ServiceFile | undefined) : undefined
}

/**
 * The scheme with the samples of its service, for tests and tools: a sample is sent for an event of which no content is given, with the
 * headers that the service sends.
 *
 * @example
 * const scheme = withSamples(stripe)
 * await deliverTo(app, 'invoice.paid', scheme.sample('invoice.paid'), { scheme })
 */
export function withSamples<Key, Kind extends SchemeKind>(
  scheme: Scheme<Key, Kind>,
): Scheme<Key, Kind> & Required<Pick<Scheme<Key, Kind>, 'sample'>> {
  const { samples, headers } = serviceFile(scheme.name) ?? {}
  if (!samples) return { ...scheme, sample: scheme.sample ?? (() => ({})) }
  const sampleOf = (name: string) => {
    const [event = name] = scheme.actionOf ? splitName(name) : []
    return Object.hasOwn(samples, event) ? samples[event] : undefined
  }
  const { sign } = scheme
  return {
    ...scheme,
    sample: (event) => Object(sampleOf(event)?.body ?? {}),
    ...(sign && {
      sign: async (key, body, parts) => ({
        ...headers,
        ...sampleOf(parts.event)?.headers,
        ...(await sign(key, body, parts)),
      }),
    }),
  }
}
