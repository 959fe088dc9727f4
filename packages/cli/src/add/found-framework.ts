import { UsageError } from '../console/index.ts'
import { FRAMEWORKS, type FrameworkName } from './frameworks/index.ts'

/** What a server runs on: these count only if no framework is found. */
const HOSTS: readonly (readonly FrameworkName[])[] = [
  ['workers', 'aws-lambda'],
  ['node', 'bun'],
]
/** What NestJS runs on itself. */
const BELOW_NESTJS: readonly FrameworkName[] = ['express', 'fastify']

/** Of those that are found, one of the first group counts. Those of a group exclude one another. */
const GROUPS: readonly (readonly FrameworkName[])[] = [
  (Object.keys(FRAMEWORKS) as FrameworkName[]).filter((name) => !HOSTS.flat().includes(name)),
  ...HOSTS,
]

/** @throws UsageError where package.json names no framework, or several. */
export function frameworkOf(
  has: ReadonlySet<string>,
  {
    isNew,
    hasWrangler,
    isThere,
  }: { isNew: boolean; hasWrangler: boolean; isThere: (...names: string[]) => boolean },
): FrameworkName {
  if (isNew) return isThere('deno.json', 'deno.jsonc') ? 'deno' : 'express'
  const isFound = (name: FrameworkName): boolean =>
    FRAMEWORKS[name].foundBy.some((each) => has.has(each)) &&
    !(BELOW_NESTJS.includes(name) && isFound('nestjs'))
  for (const group of GROUPS) {
    const [found, ...others] = group.filter(isFound)
    if (found === undefined) continue
    if (others.length === 0) return found
    const all = [found, ...others]
    throw new UsageError(
      `package.json names ${all.map((name) => FRAMEWORKS[name].title).join(' and ')}: say which with --framework ${all.join(' or --framework ')}.`,
    )
  }
  if (hasWrangler) return 'workers'
  throw new UsageError(
    `package.json names no framework that is known here. Add --framework with one of ${Object.keys(FRAMEWORKS).join(', ')}. For a new application, with a server, use a folder without package.json.`,
  )
}
