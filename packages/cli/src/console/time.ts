/** To the second, with its zone. */
export function utcOf(time: string | number): string {
  return new Date(time).toISOString().slice(0, 19).replace('T', ' ').concat(' UTC')
}
