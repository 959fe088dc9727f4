/** Whether a `hostname` of a URL is a name or an address of this machine. */
export function isLoopback(host: string): boolean {
  return (
    host === '[::1]' ||
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    /^127\.\d+\.\d+\.\d+$/.test(host)
  )
}
