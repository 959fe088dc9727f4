import { show } from './show.mjs'

/** What no receiver may do. Done on purpose, each has to be found. */
export const LEAKS = {
  secret: (secret, _req, res) => res.setHeader('X-Debug', Buffer.from(secret).toString('base64')),
  mac: (_secret, req) => console.error(req.headers['x-webhook-signature']),
  body: (_secret, req) => {
    req.on('data', (bytes) => show(Object.assign(new Error('x'), { bytes })))
  },
  'something hidden': (secret) => {
    const cause = Object.defineProperty({}, 'hidden', { value: [[[[[secret]]]]] })
    show(new Error('x', { cause }))
  },
}
