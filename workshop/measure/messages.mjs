/** A base64 text behind its prefix, as Standard Webhooks needs it. */
export const SECRET = `whsec_${Buffer.from('the secret of every contender').toString('base64')}`

/** Text as in chats: mostly ASCII, some quotes, line breaks and other scripts. */
const TEXT =
  'Hi! Is the shop by the river open on Sunday, and until when? I’d like to bring back the “Zürich” lamp.\n' +
  'It flickers \\ hums: "no way to read by it". Gracias, até já! 👋🏽 '

/** The text with which something has `size` bytes. `bytesWith` says how many it has with another one. */
export async function textFor(size, bytesWith) {
  const empty = await bytesWith('')
  const room = size - empty
  const written = (await bytesWith(TEXT)) - empty
  return TEXT.repeat(Math.floor(room / written)) + 'x'.repeat(room % written)
}

export function sizeText(bytes) {
  return bytes < 1024 ? `${bytes} B` : `${bytes / 1024} KiB`
}
