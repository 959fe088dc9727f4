import * as core from '@webhook-receiver/core'
import { toCore } from './to-core.cjs'

await toCore(core)
