import { webhookHandler } from '@webhook-receiver/aws-lambda'
import { describeSchemes } from '@webhook-receiver/suites'
import { EVENT_FORMS } from '../src/to-event.ts'
import { serve } from './serving.ts'

for (const form of EVENT_FORMS) {
  describeSchemes(
    `aws-lambda, ${form}`,
    'handler',
    ({ secret, now, path, work, options }) => {
      const handler = webhookHandler(secret, { any: work }, { now, onRejected: false, ...options })
      return serve(handler, path, { form })
    },
    // A REST API decodes the query, so that the case of an escape is lost.
    form === 'rest-api' ? 'a=1&b=%20%2F' : undefined,
  )
}
