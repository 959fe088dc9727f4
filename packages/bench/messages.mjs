import { sampleDelivery } from '@webhook-receiver/core/testing'

/** The size of the smallest delivery, in bytes. */
export const LEAST_DELIVERY = 256

/** Text as in chats: mostly ASCII, some quotes, line breaks and other scripts. */
const TEXT =
  'Hi! Is the shop by the river open on Sunday, and until when? I’d like to bring back the “Zürich” lamp.\n' +
  'It flickers \\ hums: "no way to read by it". Gracias, até já! 👋🏽 '

/**
 * A body of exactly `size` bytes, like the deliveries of a chat: a few fields, and the rest is text. If it is
 * too small for a delivery, it is other JSON.
 */
export function messageOf(size) {
  if (size < LEAST_DELIVERY) return filled(size, (text) => ({ text }))
  // The sample’s own fields where there is room for them.
  const content = size < 2 * LEAST_DELIVERY ? {} : sampleDelivery('message.received').data.data
  return filled(size, (text) => deliveryOf({ ...content, text }))
}

/** A delivery of exactly `size` bytes that is mostly brackets and small numbers. */
export function denseOf(size) {
  const item = '{"a":[1,{}]},'
  const room = size - Buffer.byteLength(JSON.stringify(deliveryOf({ list: [], text: '' })))
  const list = JSON.parse(`[${item.repeat(Math.max(0, Math.floor((room - 1) / item.length)))}0]`)
  return filled(size, (text) => deliveryOf({ list, text }), 'x')
}

function deliveryOf(data) {
  const id = '7d7c2a52-3c55-4b0e-9d0a-3b1f0e6f5a11'
  return sampleDelivery('message.received', { id, instanceId: 'i1', data })
}

function filled(size, make, text = TEXT) {
  const room = size - Buffer.byteLength(JSON.stringify(make('')))
  if (room < 0) throw new RangeError(`${size} bytes are too few by ${-room}.`)
  const written = Buffer.byteLength(JSON.stringify(text)) - 2
  const whole = text.repeat(Math.floor(room / written))
  return Buffer.from(JSON.stringify(make(whole + 'x'.repeat(room % written))))
}
