/** Whether an error of the system has this code, such as `ENOENT`. */
export function hasCode(error: unknown, code: string): boolean {
  return Object(error).code === code
}
