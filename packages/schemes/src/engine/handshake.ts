import type { Handshake } from '@webhook-receiver/core/adapter'
import type { SchemeValue } from '../value.ts'
import { readPointer } from './place.ts'

/** Makes the function that recognises a handshake in a parsed body; `undefined` if the service has none. */
export type Handshakes = (
  value: SchemeValue,
) => ((data: object) => Handshake | undefined) | undefined

/** Responds to handshakes, for the schemes that have them. */
export const handshakes: Handshakes = ({ handshakes: forms }) =>
  forms &&
  ((data) => {
    const form = forms.find(({ when }) =>
      Object.entries(when).every(([pointer, value]) => readPointer(pointer, data) === value),
    )
    if (!form) return undefined
    const { status, headers, echo } = form.response
    const found = echo === undefined ? undefined : readPointer(echo, data)
    const body = typeof found === 'string' ? found : undefined
    return { name: form.name, response: { status, headers, body } }
  })
