/**
 * What is often written by hand, as a control that has to fail: `SET NX` before the work, and whoever finds the key
 * acknowledges. Nothing says whether the work was ever finished, and nothing removes the key again.
 */
export function naiveStore({ send, prefix, retention }) {
  return {
    async claim(key) {
      const reply = await send(['SET', prefix + key, '1', 'EX', String(retention), 'NX'])
      return { status: reply === 'OK' ? 'claimed' : 'done' }
    },
    complete: async () => true,
    release: async () => true,
    extend: async () => true,
  }
}
