import { claimChecks } from './claims.ts'
import type { StoreCheck } from './context.ts'
import { keyChecks } from './keys.ts'
import { markChecks } from './marks.ts'
import { rivalChecks } from './rivals.ts'

/** Every rule of the store interface, one check each. */
export const storeChecks: readonly StoreCheck[] = [
  ...claimChecks,
  ...markChecks,
  ...keyChecks,
  ...rivalChecks,
]
