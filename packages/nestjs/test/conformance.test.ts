import { describeAdapter } from '@webhook-receiver/conformance'
import { createApplication, endpointModule, PLATFORMS, running } from './platforms.ts'

for (const platform of PLATFORMS) {
  describeAdapter(
    `nestjs, on ${platform}`,
    async (setup) =>
      running(
        await createApplication(platform, endpointModule(setup), { options: { logger: false } }),
      ),
    { sample: platform !== PLATFORMS[0] },
  )
}
