import { getRequestListener } from '@hono/node-server'
import { webhookHandler } from '@webhook-receiver/hono'
import { describeHttp2 } from '@webhook-receiver/suites'
import { Hono } from 'hono'

describeHttp2('hono', (secret, options) =>
  getRequestListener(
    new Hono().post(
      '/',
      webhookHandler(secret, () => {}, options),
    ).fetch,
  ),
)
