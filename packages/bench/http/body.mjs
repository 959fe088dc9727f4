/** A delivery of exactly `size` bytes, shaped like the messages of a chat: a few fields, and text. */
export function messageOf(size) {
  const time = new Date().toISOString()
  const message = {
    message_id: '9007199254740993',
    from: '+15550100',
    to: '+15550101',
    type: 'text',
    sender: { name: 'Zoë Müller', locale: 'de-CH', verified: true },
    text: '',
  }
  const delivery = {
    id: 'b5f9a3de-0d2c-4f0e-9a43-0b7b4f7f2c11',
    event: 'message.received',
    created_at: time,
    data: { instance_id: 'inst_01', event: 'message.received', data: message, timestamp: time },
  }
  const room = size - Buffer.byteLength(JSON.stringify(delivery))
  message.text = TEXT.repeat(Math.ceil(room / TEXT.length)).slice(0, room)
  return Buffer.from(JSON.stringify(delivery))
}

const TEXT = 'Is the shop by the river open on Sunday, and until when? '
