import { createServer } from 'node:http'
import { listening } from '@webhook-receiver/conformance'
import { describeMisbehavingClients, SHORT_TIMEOUTS } from '@webhook-receiver/suites'
import { createApplication, endpointModule, PLATFORMS } from './platforms.ts'

for (const platform of PLATFORMS) {
  describeMisbehavingClients(`nestjs, on ${platform}`, async (setup) => {
    const settings = { options: { logger: false } } as const
    const app = await createApplication(platform, endpointModule(setup), settings)
    await app.init()
    await app.getHttpAdapter().getInstance().ready?.()
    // Its own server would wait five minutes for a request.
    const [listener] = app.getHttpServer().listeners('request')
    return listening(createServer(SHORT_TIMEOUTS, listener))
  })
}
