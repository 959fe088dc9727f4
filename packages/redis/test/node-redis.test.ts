import { describeClient } from './client-suite.ts'
import { openNodeRedis } from './clients.ts'

describeClient('node-redis', openNodeRedis)
