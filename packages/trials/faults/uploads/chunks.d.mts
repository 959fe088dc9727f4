/** A status, or what went wrong. */
type Outcome = number | string

export const RECEIVERS: readonly string[]

export function measureOne(
  kind: string,
): Promise<{ readonly status: Outcome; readonly mebibytes: number }>

export function sendMany(
  kind: string,
  options: { readonly bodies: number; readonly heap: number },
): Promise<{ readonly forged: readonly Outcome[]; readonly valid: readonly Outcome[] }>
