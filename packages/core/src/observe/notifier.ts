import { isContract } from '../contract/scheme.ts'
import {
  type Acceptance,
  type Rejection,
  remoteOf,
  requestInfo,
  runHook,
  runHookInTime,
} from '../hooks.ts'
import { DEFAULT_ENDPOINT } from '../option-rules.ts'
import { issuesOf } from '../parse/schema.ts'
import { createKeeper } from '../quarantine.ts'
import { isReceiversFault } from '../reject/reasons.ts'
import { createStderrReport } from '../reject/stderr-report.ts'
import { isWebhookError } from '../reject/webhook-error.ts'
import type { Sender } from '../request/incoming.ts'
import type { ResolvedOptions } from '../settings.ts'
import { tenantIn, type Verification } from '../verification.ts'
import { acceptedByAny } from '../verify/accepted-lately.ts'
import { fingerprintOf } from '../verify/fingerprint.ts'
import { withKeyOf } from '../verify/late-key.ts'
import type { HeaderLookup, ParsedDelivery } from '../verify/scheme.ts'
import type { SecretKey } from '../verify/secret.ts'
import { CHANNELS, channel } from './channels.ts'
import { createDiagnoser } from './diagnoser.ts'
import { receivedMessage, rejectedMessage } from './messages.ts'

/** What a receiver knows of a request so far. */
export interface RequestState {
  /** When the request came, in milliseconds of `performance.now`. */
  readonly since: number
  keys: readonly SecretKey[]
  /** The public URL, if the scheme signs it. */
  url: string | undefined
  /** What was verified: the signature, then the timestamp as well. */
  verified: 'signature' | 'time' | undefined
}

/** Calls the hooks of a receiver, and publishes on its channels. */
export interface Notifier {
  /** Calls `onAccepted`. Resolves when it was called, so that this comes before the handler; `undefined` if nobody listens. */
  accepted(
    delivery: ParsedDelivery,
    verification: Pick<Verification, 'endpoint' | 'key'>,
    sender: Sender,
    key: SecretKey,
    state: RequestState,
  ): Promise<void> | undefined
  /** Calls `onHandshake`, and does not wait for it. */
  handshake(name: string, sender: Sender, state: RequestState): void
  /** Calls `onUnprocessable` and `onRejected`, and resolves when the response can be sent. */
  rejected(
    thrown: unknown,
    sender: Sender,
    state: RequestState,
    rawBody: Uint8Array | undefined,
  ): Promise<void>
}

export function createNotifier(options: ResolvedOptions): Notifier {
  const {
    scheme,
    endpoint = DEFAULT_ENDPOINT,
    now,
    callbackTimeout,
    onAccepted,
    onHandshake,
    onUnprocessable,
    onRejected = createStderrReport(now, scheme.value !== undefined || isContract(scheme)),
  } = options
  const diagnose = createDiagnoser(options)
  const keep = options.quarantine && createKeeper(options.quarantine, callbackTimeout, now)
  const receivedChannel = channel(CHANNELS.received)
  const rejectedChannel = channel(CHANNELS.rejected)

  async function notifyAccepted(
    { id, event, known }: ParsedDelivery,
    verification: Pick<Verification, 'endpoint' | 'key'>,
    sender: Sender,
    secretKey: SecretKey,
    since: number,
  ): Promise<void> {
    const secret = await fingerprintOf(secretKey)
    const tenant = tenantIn(verification.endpoint)
    // Not waited for.
    void runHook('onAccepted', publishAccepted, () => {
      const info = requestInfo(options, sender, now(), since)
      return withKeyOf(Object.assign(info, { tenant, id, event, known, secret }), verification)
    })
  }

  function publishAccepted(acceptance: Acceptance): unknown {
    if (receivedChannel?.hasSubscribers) {
      receivedChannel.publish(receivedMessage(acceptance, endpoint))
    }
    return onAccepted?.(acceptance)
  }

  function publishRejected(rejection: Rejection): unknown {
    if (rejectedChannel?.hasSubscribers) {
      rejectedChannel.publish(rejectedMessage(rejection, endpoint))
    }
    return onRejected === false ? undefined : onRejected(rejection)
  }

  /** The headers that are needed to verify the request again. */
  function signedHeaders(header: HeaderLookup): Readonly<Record<string, string>> {
    const headers: Record<string, string> = {}
    for (const name of [...scheme.headers, 'content-type']) {
      const value = header(name)
      if (value) headers[name] = value
    }
    return headers
  }

  return {
    accepted(delivery, verification, sender, key, { since }) {
      if (!onAccepted && !receivedChannel?.hasSubscribers) return undefined
      return notifyAccepted(delivery, verification, sender, key, since)
    },

    handshake(name, sender, { since }) {
      if (!onHandshake) return
      void runHook('onHandshake', onHandshake, () =>
        Object.assign(requestInfo(options, sender, now(), since), { name }),
      )
    },

    async rejected(error, sender, { keys, url, verified, since }, rawBody) {
      if (!isWebhookError(error)) return
      const secrets = await Promise.all(keys.map(fingerprintOf))
      const header: HeaderLookup = (name) => sender.header(name)
      const signatureValid = verified !== undefined
      const { reason, status } = error
      const quarantined =
        keep && rawBody && isReceiversFault(error)
          ? await keep(() => {
              const { address, url: target } = remoteOf(sender)
              return {
                at: now(),
                endpoint,
                perTenant: options.tenantOf !== undefined,
                reason,
                status,
                signatureValid,
                signedAt: signatureValid ? scheme.claimedTime?.(header) : undefined,
                method: sender.method,
                target,
                headers: Object.entries(signedHeaders(header)),
                rawBody,
                address,
                secrets,
              }
            })
          : undefined
      const diagnosis = await diagnose(error, { header, keys, rawBody, url })
      if (onUnprocessable && verified === 'time' && rawBody) {
        const headers = signedHeaders(header)
        const unprocessable = () => ({ rawBody, headers, error, issues: issuesOf(error) })
        await runHookInTime('onUnprocessable', onUnprocessable, unprocessable, callbackTimeout)
      }
      const { code, detail, cause } = error
      const proven = signatureValid || diagnosis?.[0].certainty === 'certain'
      const acceptedLately = keys.length > 0 ? acceptedByAny(keys, since) : undefined
      // Spreading one object behind another takes Node 20 five microseconds.
      if (onRejected === false && !rejectedChannel?.hasSubscribers) return
      void runHook('onRejected', publishRejected, () =>
        Object.assign(
          requestInfo(options, sender, now(), since),
          { reason, status, code, detail, cause, signatureValid, proven, secrets },
          acceptedLately && { acceptedLately },
          quarantined === undefined ? undefined : { quarantined },
          diagnosis && { diagnosis },
        ),
      )
    },
  }
}
