import { randomUUID } from 'node:crypto'
import { randomSecret } from '@webhook-receiver/tools/signer.mjs'

/** The receivers' default limit, in bytes. */
const LIMIT = 1_048_576

const HOUR = 3600

/** One content for each event of the contract, with what trips careless receivers. */
const CONTENTS = {
  'message.received': {
    message_id: '9223372036854775807',
    from: '+4915550100',
    text: 'Is <b>Müller & Söhne</b> open? 👩🏽‍🔧\nLine two\u2028line three — "yes" \\ \'no\'',
  },
  'message.sent': { message_id: '9007199254740993', to: '+4915550100', text: 'On our way 🚚' },
  'message.delivered': { message_id: '9007199254740993', to: '+4915550100', attempt: 1 },
  'message.read': { message_id: '9007199254740993', read_at: '2026-03-02T09:30:00.007Z' },
  'message.failed': {
    message_id: '18446744073709551615',
    error: { code: 470, title: 'Öffnungszeiten überschritten', retryable: false },
  },
  'instance.connected': { phone: '+4915550111', name: 'Café № 5 ☕', tags: [], plan: null },
  'instance.disconnected': { reason: 'logged out\n(by the phone)', uptime: 86_399.999 },
}

export const EVENTS = Object.keys(CONTENTS)

/** What is signed here for one application, with what should become of it. */
export function makeDeliveries(sign, secret) {
  const refused = (name, status, delivery) => ({
    ...delivery,
    name,
    section: 'refused',
    status,
    seen: false,
  })
  const anHourAgo = Date.now() - HOUR * 1000
  return [
    ...EVENTS.map((event) => genuineDelivery(sign, secret, event)),
    refused('forged', 401, signed(sign, randomSecret(), envelope('message.received'))),
    refused(
      'an hour old',
      401,
      signed(sign, secret, envelope('message.sent', anHourAgo), anHourAgo),
    ),
    refused('altered after signing', 401, altered(signed(sign, secret, envelope('message.read')))),
    refused('one byte over the limit', 413, signed(sign, secret, oversized())),
  ]
}

export function genuineDelivery(sign, secret, event = 'message.received') {
  return {
    ...signed(sign, secret, envelope(event)),
    name: event,
    section: 'genuine',
    status: 204,
    seen: true,
  }
}

function envelope(event, time = Date.now()) {
  const data = {
    instance_id: 'inst_7f3c9e',
    event,
    data: CONTENTS[event],
    timestamp: new Date(time - 42).toISOString(),
  }
  return { id: randomUUID(), event, created_at: new Date(time).toISOString(), data }
}

function signed(sign, secret, sent, time = Date.now()) {
  const body = Buffer.from(JSON.stringify(sent))
  const timestamp = String(Math.floor(time / 1000))
  const headers = {
    'Content-Type': 'application/json',
    'X-Webhook-Id': sent.id,
    'X-Webhook-Timestamp': timestamp,
    'X-Webhook-Signature': `sha256=${sign(secret, timestamp, body)}`,
  }
  return { sent, body, headers }
}

/** One digit of the instance is another one; the length stays. */
function altered(delivery) {
  const body = Buffer.from(delivery.body.toString().replace('inst_7f3c9e', 'inst_7f3c9d'))
  return { ...delivery, body }
}

function oversized() {
  const sent = envelope('message.received')
  const room = LIMIT + 1 - Buffer.byteLength(JSON.stringify(withText(sent, '')))
  return withText(sent, 'x'.repeat(room))
}

function withText(sent, text) {
  return { ...sent, data: { ...sent.data, data: { ...sent.data.data, text } } }
}
