import { webhookHandler } from '@webhook-receiver/node'
import { describeHttp2 } from '@webhook-receiver/suites'

describeHttp2('node', (secret, options) => webhookHandler(secret, () => {}, options), [
  ['another path', 404, { path: '/elsewhere' }, {}, '{'],
])
