/** A status, or what went wrong. */
type Outcome = number | string

export function attackOnce(
  kind: string,
  chunks?: number,
): Promise<{ readonly status: Outcome; readonly mebibytes: number }>

export function attackAtOnce(
  kind: string,
  options: { readonly chunks?: number; readonly bodies: number; readonly heap: number },
): Promise<{ readonly forged: readonly Outcome[]; readonly genuine: readonly Outcome[] }>
