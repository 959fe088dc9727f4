import { createDelivery, randomSecret, signedRequest } from '../signing.mjs'

/** The receivers' default limit, in bytes. */
const LIMIT = 1_048_576

const HOUR = 3_600_000

/** One content for each event of the contract, with what careless receivers get wrong. */
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

const EVENTS = Object.keys(CONTENTS)

/** What is signed here for one application: each request, with the outcome that is expected. */
export function createRequests(sign, secret) {
  const time = Date.now() - HOUR
  const signed = (event) => signedRequest(secret, sample(event), { sign })
  return [
    ...EVENTS.map((event) => validRequest(sign, secret, event)),
    rejected('forged', 401, signedRequest(randomSecret(), sample('message.received'), { sign })),
    rejected(
      'an hour old',
      401,
      signedRequest(secret, sample('message.sent', time), { sign, time }),
    ),
    rejected('altered after signing', 401, altered(signed('message.read'))),
    rejected('one byte over the limit', 413, signedRequest(secret, oversized(), { sign })),
  ]
}

export function validRequest(sign, secret, event = 'message.received') {
  const request = signedRequest(secret, sample(event), { sign })
  return { ...request, name: event, section: 'valid', status: 204, seen: true }
}

function rejected(name, status, request) {
  return { ...request, name, section: 'rejected', status, seen: false }
}

function sample(event, time) {
  return createDelivery(event, CONTENTS[event], time)
}

/** One digit of the instance is another one; the length stays. */
function altered(request) {
  const { instance_id } = request.delivery.data
  const other = `${instance_id.slice(0, -1)}0`
  return { ...request, body: Buffer.from(request.body.toString().replace(instance_id, other)) }
}

function oversized() {
  const delivery = createDelivery('message.received', { text: '' })
  const room = LIMIT + 1 - Buffer.byteLength(JSON.stringify(delivery))
  delivery.data.data.text = 'x'.repeat(room)
  return delivery
}
