import type { Diagnosis } from '../reject/diagnosis.ts'
import type { HeaderLookup } from '../verify/headers.ts'

/**
 * What core uses of `@webhook-receiver/diagnose`. That package is built on core, so tsconfig.json gives core these types in its
 * place. The types of the tests are checked against the package itself.
 */
export declare function diagnose(input: {
  readonly headers: HeaderLookup
  readonly body: Uint8Array | undefined
  readonly secrets: string | Readonly<Record<string, string>>
}): Promise<Diagnosis>
