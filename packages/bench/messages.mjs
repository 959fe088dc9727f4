import { sampleDelivery } from '@webhook-receiver/core/testing'

/** A base64 text behind its prefix, as Standard Webhooks needs it. */
export const SECRET = `whsec_${Buffer.from('the secret of every contender').toString('base64')}`

/** Text as in chats: mostly ASCII, some quotes, line breaks and other scripts. */
const TEXT =
  'Hi! Is the shop by the river open on Sunday, and until when? I’d like to bring back the “Zürich” lamp.\n' +
  'It flickers \\ hums: "no way to read by it". Gracias, até já! 👋🏽 '

/** A delivery of exactly `size` bytes, like those of a chat: a few fields, and the rest is text. */
export function messageOf(size) {
  const filled = (text) =>
    sampleDelivery('message.received', {
      id: '7d7c2a52-3c55-4b0e-9d0a-3b1f0e6f5a11',
      data: { ...sampleDelivery('message.received').data.data, text },
    })
  const bytesOf = (value) => Buffer.byteLength(JSON.stringify(value))
  const room = size - bytesOf(filled(''))
  const written = bytesOf(TEXT) - 2
  return filled(TEXT.repeat(Math.floor(room / written)) + 'x'.repeat(room % written))
}

export function sizeText(bytes) {
  return bytes < 1024 ? `${bytes} B` : `${bytes / 1024} KiB`
}
