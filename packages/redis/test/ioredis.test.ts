import { describeClient } from './client-suite.ts'
import { openIoredis } from './clients.ts'

describeClient('ioredis', openIoredis)
