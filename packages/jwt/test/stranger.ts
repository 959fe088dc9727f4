import { jwtScheme } from '../src/index.ts'

// docs.netlify.com/deploy/deploy-notifications: nothing that runs judges it.
export const netlify = jwtScheme({
  name: 'netlify',
  title: 'Netlify',
  token: { header: 'x-webhook-signature' },
  algorithm: 'HS256',
  keys: 'secret',
  body: { claim: 'sha256', encoding: 'hex' },
  issuer: 'netlify',
  expires: false,
  id: { pointer: '/id' },
  event: { pointer: '/state' },
})
