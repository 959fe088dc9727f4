import type { HeaderLookup, Scheme } from '@webhook-receiver/core'
import { rejection } from '@webhook-receiver/core/internal'
import type { HeaderPlace, SchemeValue } from '../value.ts'
import type { Key } from './method.ts'
import { headerAt, namesIn, namesOf, put } from './place.ts'

/**
 * Adds to a scheme that its requests name their subscription, and that some events, such as the end of one, have their name at a place of
 * their own.
 */
export type Subscriptions = (scheme: Scheme<Key>, value: SchemeValue) => void

export const subscriptions: Subscriptions = (scheme, { event = [], subscription: place }) => {
  if (!place) return
  const { readHead, compose, sign } = scheme
  const named = new WeakMap<object, string>()
  const [name = ''] = namesOf(place)
  const added: Partial<Scheme<Key>> = {
    readHead(request) {
      const head = readHead(request)
      named.set(head, subscriptionIn(place, request.header))
      return head
    },
    subscriptionOf: (head) => named.get(head) ?? '',
    ...(compose && {
      compose(data, parts) {
        const own = event.find((one) => 'pointer' in one && one.events?.includes(parts.event))
        if (!own || !('pointer' in own)) return compose(data, parts)
        const whole = put(data, namesIn(own.pointer), parts.event)
        return new TextEncoder().encode(JSON.stringify(whole))
      },
    }),
    ...(sign && {
      sign: async (key, body, parts) => ({
        ...(await sign(key, body, parts)),
        [name]: parts.instance ?? 'sub_01',
      }),
    }),
  }
  Object.assign(scheme, added)
}

/** @throws WebhookError (401) where the request names none. */
function subscriptionIn(place: HeaderPlace, header: HeaderLookup): string {
  const id = headerAt(place, header)
  const name = namesOf(place).join(' or ')
  if (!id) throw rejection('signature_missing', { header: name })
  if (/^[!-~]{1,512}$/.test(id)) return id
  throw rejection('signature_malformed', {
    header: name,
    expected: '1 to 512 visible ASCII characters',
    fault: `has ${id.length} characters`,
  })
}
