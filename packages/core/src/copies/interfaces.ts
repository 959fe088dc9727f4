import { VERSION } from './version.ts'

/**
 * What one of our packages makes for another, and the number of its interface. An application may have installed two releases side by
 * side, and with them two copies of core. Raise a number when one of these releases could not use what the other makes.
 */
const INTERFACES = {
  /** Of a diagnosis too, which is called with the scheme of the receiver. */
  scheme: 1,
  store: 1,
  quarantine: 1,
  /** The handler of an inbox, which stores deliveries. */
  inbox: 1,
} as const

export type Interface = keyof typeof INTERFACES

/** What is noted of something that one of our packages has made. */
interface Maker {
  readonly package: string
  readonly version: string
  readonly interface: number
}

const MAKER = Symbol.for('@webhook-receiver/core.maker')

/**
 * Marks what one of our packages has made, in place, so that a package of another release knows whether it fits. A copy with other
 * properties, as `{ ...store, claim }` makes it, has the mark too.
 *
 * @param name the package, which has the version of the core that it depends on.
 */
export function madeBy<Made extends object>(name: string, kind: Interface, made: Made): Made {
  const maker: Maker = { package: name, version: VERSION, interface: INTERFACES[kind] }
  return Object.assign(made, { [MAKER]: maker })
}

/**
 * Why something does not fit this release, as a sentence without its subject. `undefined` if it fits, and for what an application has
 * written, which has no mark.
 */
export function misfitOf(kind: Interface, value: unknown): string | undefined {
  // Nobody else knows the symbol.
  const maker = Reflect.get(Object(value), MAKER) as Maker | undefined
  if (maker === undefined || maker.interface === INTERFACES[kind]) return undefined
  const { package: name, version } = maker
  return (
    `is from ${name} ${version}, which does not fit @webhook-receiver/core ${VERSION}. Install both in one version: ` +
    `npm install ${name}@${VERSION}, or what has this core in version ${version}, as npm ls @webhook-receiver/core shows.`
  )
}
