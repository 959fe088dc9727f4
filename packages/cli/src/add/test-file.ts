import { basename, dirname, join, relative } from 'node:path/posix'
import { type Code, type Dialect, indented, list, withEnding } from './code.ts'
import type { Application } from './framework.ts'
import type { Parts } from './parts.ts'
import { publicUrlOf } from './receiver.ts'

/** What runs the tests of a project. */
export type Runner = 'vitest' | 'jest' | 'bun' | 'deno' | 'node'

const NODE = {
  imports: [
    { from: 'node:assert/strict', default: 'assert' },
    { from: 'node:test', names: ['test'] },
  ],
  expects: (status: number) => `assert.equal(status, ${status})`,
}

/** How a runner is imported, and how a test says which status it expects. */
const RUNNERS = {
  vitest: { imports: [{ from: 'vitest', names: ['expect', 'test'] }], expects: toBe },
  jest: { imports: [], expects: toBe },
  bun: { imports: [{ from: 'bun:test', names: ['expect', 'test'] }], expects: toBe },
  deno: NODE,
  node: NODE,
}

function toBe(status: number): string {
  return `expect(status).toBe(${status})`
}

/**
 * A test that sends the route a delivery, and one that was tampered with.
 *
 * @param path where the test is, without its ending.
 */
export function testOf(
  { service, dialect, inbox }: Parts,
  { adapter, route, test }: Application,
  { path: where, runner }: { readonly path: string; readonly runner: Runner },
): Code {
  const { scheme, variable, tokenVariable, signsUrl, path, event, status, signedBy, hasSamples } =
    service
  const isKey = signedBy === 'key'
  const hasBindings = test.hasBindings && !service.isSubscribed
  const given = isKey ? 'publicKey' : 'secret'
  const { imports, expects } = RUNNERS[runner]
  const options = [
    ...(scheme ? [hasSamples ? 'scheme' : `scheme: ${scheme.call}`] : []),
    isKey ? 'secret: privateKey' : 'secret',
    ...(scheme ? [`path: '${path}'`] : []),
    ...(signsUrl ? [`publicUrl: '${publicUrlOf(path)}'`] : []),
    ...(hasBindings ? [`env: { ${variable}: ${given} }`] : []),
    'tamper',
  ]
  const loaded = (names: string, target: string) =>
    loading(names, relativeTo(where, target), dialect, runner)
  const setUp = inbox
    ? `${loaded('inbox', join(dirname(route.path), inbox.from))}\nawait inbox.setup()\n`
    : ''
  const token = tokenVariable ? `\n  process.env.${tokenVariable} = 'chosen'` : ''
  const environment = hasBindings
    ? ''
    : `  // Before the import, which may read it.\n  process.env.${variable} = ${given}${token}\n`
  const content = hasSamples ? (scheme ? 'body' : "{ text: 'hello' }") : '{}'
  const begin = `${test.after ? 'const response = await' : 'return'} deliverTo(`
  const args = [test.target, `'${event}'`, content, list(['{ ', ' }'], options, 40)]
  const one = `${begin}${args.join(', ')})`
  const call = isWide(one) ? list([begin, ')'], args, 74) : one
  const sent = test.after ? `${call}\n${test.after}return response` : call
  const sample =
    scheme && hasSamples
      ? `const scheme = withSamples(${scheme.call})\n// Or a body of your own.\nconst body = scheme.sample('${event}')\n`
      : ''
  return {
    imports: [
      ...imports,
      ...(test.imports ?? []),
      { from: `@webhook-receiver/${adapter}/testing`, names: ['deliverTo'] },
      ...(scheme
        ? [
            { from: scheme.from, names: [scheme.exported] },
            ...(hasSamples
              ? [
                  {
                    from: '@webhook-receiver/schemes/services',
                    names: ['withSamples', ...(isKey ? ['keyPairFor'] : [])],
                  },
                ]
              : []),
          ]
        : []),
    ],
    body: `${test.first ? `// ${test.first.why}\n${test.first.code}\n\n` : ''}${isKey ? KEYS(service) : `const secret = '${service.secret}'`}
${sample}
async function deliver(tamper${dialect.language === 'ts' ? "?: 'body'" : ''}) {
${environment}${indented(`${loaded(test.exported, route.path)}\n${setUp}${test.before ?? ''}${sent}`)}
}

test('handles a delivery', async () => {
  const { status } = await deliver()
  ${expects(status)}
})

test('rejects one that was tampered with', async () => {
  const { status } = await deliver('body')
  ${expects(401)}
})`,
  }
}

const KEYS = ({ title, scheme }: Parts['service']) =>
  `// Keys of this test, since only ${title} has its private key.
const { privateKey, publicKey } = keyPairFor(${scheme?.call})`

/** Jest takes `import()` only behind a flag. */
function loading(names: string, file: string, dialect: Dialect, runner: Runner): string {
  const isTyped = dialect.language === 'ts'
  const begin = `const { ${names} } =`
  // With its ending, as an ES module or a compiler for Node needs it.
  if (dialect.module === 'esm' || (isTyped && runner !== 'jest')) {
    const path = `'${file}${dialect.ending || '.js'}'`
    const one = `${begin} await import(${path})`
    return isWide(one) ? `${begin} await import(\n  ${path}\n)` : one
  }
  const type = isTyped ? ` as typeof import('${file}')` : ''
  return `${begin} require('${withEnding(file, dialect)}')${type}`
}

/** Whether the first line of a statement in a function does not fit. */
function isWide(statement: string): boolean {
  return statement.replace(/\n.*/s, '').length > 74
}

function relativeTo(file: string, target: string): string {
  const path = `${relative(dirname(file), dirname(target)) || '.'}/${basename(target)}`
  return path.startsWith('.') ? path : `./${path}`
}
