/** The version of this package, and of every other one of its release. `npm run bump` writes it. */
export const VERSION = '0.1.0'
