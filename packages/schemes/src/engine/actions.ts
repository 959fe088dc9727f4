import type { Scheme, SignableParts } from '@webhook-receiver/core'
import { splitName } from '@webhook-receiver/core/internal'
import type { SchemeValue } from '../value.ts'
import type { Key } from './method.ts'
import { namesIn, put, readPlaces, readPointer } from './place.ts'

/** Adds to a scheme that its deliveries have the action of their events, and that a name such as `issues.opened` is signed as both. */
export type Actions = (scheme: Scheme<Key>, value: SchemeValue) => void

export const actions: Actions = (scheme, { action = [], jsonField = '' }) => {
  const { readBody, compose, sign } = scheme
  const actionOf = (data: unknown) => readPlaces(action, () => undefined, data)
  const eventOnly = (parts: SignableParts) => ({ ...parts, event: splitName(parts.event)[0] })

  /** The data with the action that was given with the event, also if it has another. */
  function withAction(data: object, [, name]: ReturnType<typeof splitName>): object {
    if (name === undefined || jsonField in data || Array.isArray(data)) return data
    const own = action.find(({ pointer }) => readPointer(pointer, data) !== undefined)
    const { pointer = '' } = own ?? action[0] ?? {}
    return put(data, namesIn(pointer), name)
  }

  const added: Partial<Scheme<Key>> = {
    actionOf,
    readBody(body, events, head) {
      const delivery = readBody(body, events, head)
      const found = actionOf(delivery.data)
      return found === undefined ? delivery : Object.assign(delivery, { action: found })
    },
    ...(compose && {
      compose: (data, parts) => compose(withAction(data, splitName(parts.event)), eventOnly(parts)),
    }),
    ...(sign && { sign: (key, body, parts) => sign(key, body, eventOnly(parts)) }),
  }
  Object.assign(scheme, added)
}
