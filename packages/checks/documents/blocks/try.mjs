import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePorts } from '../../free-ports.mjs'
import { compile } from '../../packed/compile.mjs'
import { install, ours, versionOf } from '../../packed/install.mjs'
import { receive } from '../../receive.mjs'
import { QUEUES } from './queues.mjs'

const SERVE = fileURLToPath(import.meta.resolve('@webhook-receiver/checks/serve.mjs'))

const TOOLS = { '@types/node': '20', typescript: '5.9' }

/** Frameworks whose types are packages of their own. */
const TYPES = { express: '@types/express' }

/** In the module system that each release of NestJS is written for, and the others as ES modules. */
const ESM = { module: 'nodenext', extension: 'mts', output: 'mjs' }
const COMMONJS = { module: 'commonjs', extension: 'ts', output: 'js' }

/** One try of a block, or two where two releases of what it needs are in use. */
export function triesOf(block) {
  if (!block.needs.includes('@nestjs/core')) return [{ ...block, ...ESM, releases: {} }]
  const nest = block.needs.filter((name) => name.startsWith('@nestjs/'))
  const releases = (line) => Object.fromEntries(nest.map((name) => [name, line]))
  return [
    { ...block, ...COMMONJS, releases: releases('11'), flags: DECORATORS },
    { ...block, ...ESM, releases: releases('12'), flags: DECORATORS },
  ]
}

/** As `nest new` sets them. */
const DECORATORS = ['--experimentalDecorators', '--emitDecoratorMetadata']

/**
 * Installs what a block needs, checks its types and, where it is a server, sends it a forged and a valid delivery.
 *
 * @returns the versions of what was installed, what was seen and what was wrong.
 */
export async function tryBlock(attempt, { folder, registry }) {
  const [port] = await freePorts(1)
  const { module, flags } = attempt
  const sources = sourcesOf(attempt, port)
  const foreign = foreignPackages(Object.values(sources).join(''), attempt)
  // Ours come second, as into an application that exists: what they work with is then there already.
  for (const own of [{}, ours(ownPackages(Object.values(sources).join('')))]) {
    await install(folder, { ...foreign, ...own, ...TOOLS }, { registry })
  }
  for (const [file, text] of Object.entries(sources)) await writeFile(join(folder, file), text)
  const files = Object.keys(sources)
  const problems = await compile({ folder, module, files, into: 'out', flags })
  const names = Object.keys(foreign).filter((name) => !name.startsWith('@types/'))
  const versions = await Promise.all(
    names.map(async (name) => `${name} ${await versionOf(folder, name)}`),
  )
  if (problems.length > 0) return { versions, saw: '', problems }
  return { versions, saw: await exercise(attempt, { folder, port }), problems }
}

/** The files of a try: the block, and in front of a queue a receiver whose handler it is. */
function sourcesOf({ kind, code, extension, output, needs }, port) {
  const listening = code.replaceAll('3000', String(port))
  if (kind !== 'queue' || !needs.some((name) => QUEUES[name])) {
    return { [`block.${extension}`]: listening }
  }
  return {
    [`queue.${extension}`]: code,
    [`block.${extension}`]: `import { webhookHandler } from '@webhook-receiver/express'
import express from 'express'
import { enqueue } from './queue.${output}'

express()
  .post('/webhooks', webhookHandler(process.env.WEBHOOK_SECRET, enqueue))
  .listen(${port})
`,
  }
}

/** What a block needs, and what it imports besides; of what it imports only types of, those alone. */
function foreignPackages(code, { needs, releases }) {
  const imports = [...code.matchAll(/^import (type )?.*from '((?:@[^/']+\/)?[^./'][^/']*)/gm)]
    .map(([, typesOnly, name]) => ({ typesOnly, name }))
    .filter(({ name }) => !name.startsWith('node:') && !name.startsWith('@webhook-receiver/'))
  const names = [
    ...needs,
    ...imports.filter(({ typesOnly }) => !typesOnly).map(({ name }) => name),
    ...imports.map(({ name }) => TYPES[name]).filter(Boolean),
  ]
  return Object.fromEntries(names.map((name) => [name, releases[name] ?? 'latest']))
}

function ownPackages(code) {
  return [...code.matchAll(/'@webhook-receiver\/([a-z-]+)/g)].map(([, name]) => name)
}

async function exercise({ kind, needs, output }, { folder, port }) {
  const file = join('out', `block.${output}`)
  const send = async (args, services) => {
    const seen = await receive({ folder, env: process.env, port }, args, services)
    return { ...seen, runs: seen.printed.stdout.split(seen.id).length - 1 }
  }
  const handled = async (args, services) => {
    const { runs, saw } = await send(args, services)
    assert.equal(runs, 1, `The handler printed the delivery ${runs} times.`)
    return saw
  }
  if (kind === 'server') return handled([file])
  const served = [SERVE, file, String(port)]
  if (kind === 'route') return handled(served)
  if (kind === 'lambda') {
    const plain = await handled(served)
    return `${plain}; in base64: ${await handled(served, { LAMBDA_BASE64: '1' })}`
  }
  const open = needs.map((name) => QUEUES[name]).find(Boolean)
  if (kind !== 'queue' || open === undefined) return ''
  const queue = await open()
  try {
    const { id, saw } = await send([file], queue.env)
    assert.equal(queue.entries.length, 1, `The queue has ${queue.entries.length} entries.`)
    const [entry] = queue.entries
    assert.equal(entry.content.delivery.id, id)
    assert.match(entry.id, /\S/, 'The entry has no identifier.')
    return `${saw}, 1 in the queue`
  } finally {
    queue.close()
  }
}
