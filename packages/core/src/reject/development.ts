/** Whether NODE_ENV is `development`, where there is an environment that may be read. */
export function inDevelopment(): boolean {
  try {
    return Reflect.get(globalThis, 'process').env.NODE_ENV === 'development'
  } catch {
    // No process, or Deno without the permission to read its environment.
    return false
  }
}
