import { spawnSync } from 'node:child_process'
import { FRAMEWORKS } from '@webhook-receiver/checks/lists.mjs'
import { signDelivery } from '@webhook-receiver/core/testing'
import autocannon from 'autocannon'
import { LIBRARIES } from './libraries.mjs'
import { messageOf, SECRET, sizeText } from './messages.mjs'
import { startServer } from './processes.mjs'
import { interleaved, relative } from './statistics.mjs'

/** How many requests of each size, in bytes, make a block. */
const BLOCKS = new Map([
  [600, 1500],
  [8 * 1024, 1000],
  [64 * 1024, 300],
  [512 * 1024, 40],
])

const SUBJECTS = ['plain', 'control', 'receiver']

/** Libraries that are compared over HTTP as well, where and with which sizes: one that takes a Request needs a framework that has one. */
const COMPARED = {
  names: ['stripe', '@octokit/webhooks-methods', 'standardwebhooks', '@hookflo/tern'],
  frameworks: ['express', 'hono'],
  sizes: [8 * 1024, 64 * 1024],
}

/**
 * How many processes each subject has, the requests until its cost no longer falls, and the blocks of each size. The first of
 * these do not count: a large body takes other ways through the code than a small one.
 */
const FULL = { processes: 6, warmUp: 12_000, warmUpBlocks: 4, blocks: 5 }
const SMOKE = { processes: 1, warmUp: 400, warmUpBlocks: 0, blocks: 1 }

/** The CPU time of a request to an application on each framework, relative to plain node:crypto and to other libraries. */
export async function measure(rounds) {
  pin(process.pid, 1)
  const scale = rounds > 1 ? FULL : SMOKE
  const rows = []
  for (const framework of [...FRAMEWORKS, 'node']) {
    rows.push(await rowOf({ framework, sizes: [...BLOCKS.keys()] }, scale))
  }
  for (const library of COMPARED.names) {
    for (const framework of COMPARED.frameworks) {
      if (LIBRARIES[library].takesRequest && framework !== 'hono') continue
      rows.push(await rowOf({ framework, library, sizes: COMPARED.sizes }, scale))
    }
  }
  return rows
}

/** Each subject has several processes. */
async function rowOf({ framework, library, sizes }, scale) {
  console.error(`http: ${framework}, ${library ?? 'plain'} …`)
  const all = new Map(sizes.map((size) => [size, empty()]))
  for (let round = 0; round < scale.processes; round++) {
    await addProcess({ framework, library }, scale, all)
  }
  return [
    `request to ${framework}, ${sizes.map(sizeText).join('; ')}`,
    library ? `\`${library}\`` : 'plain `node:crypto`',
    [...all.values()].map((samples) => relative(samples, 'receiver')).join('; '),
  ]
}

function empty() {
  return Object.fromEntries(SUBJECTS.map((name) => [name, []]))
}

/** Adds the samples of another process of each subject. */
async function addProcess(application, { warmUp, warmUpBlocks, blocks }, all) {
  const servers = {}
  try {
    for (const subject of SUBJECTS) servers[subject] = await start(application, subject, warmUp)
    for (const size of all.keys()) {
      const request = await requestOf(size, application.library)
      const count = BLOCKS.get(size)
      const samplers = SUBJECTS.map((name) => [name, () => cpuOf(servers[name], request, count)])
      const samples = await interleaved(Object.fromEntries(samplers), blocks, warmUpBlocks)
      for (const name of SUBJECTS) all.get(size)[name].push(...samples[name])
    }
  } finally {
    await Promise.all(Object.values(servers).map(({ stop }) => stop()))
  }
}

async function start({ framework, library }, subject, warmUp) {
  const server = await startServer('http-server.mjs', [framework, subject, library ?? ''])
  pin(server.child.pid, 0)
  const { headers, body } = await requestOf(600, library)
  const forged = { headers, body: body.replace('shop', 'chop') }
  const { non2xx } = await send(server, forged, 1)
  if (non2xx !== 1) throw new Error(`${framework}, ${subject}: a forged request got 2xx.`)
  await cpuOf(server, { headers, body }, warmUp)
  return server
}

/** A delivery as the receiver and the library both verify it. */
async function requestOf(size, library) {
  const { scheme } = LIBRARIES[library] ?? {}
  const { headers, body } = await signDelivery(SECRET, messageOf(size), { scheme })
  return { headers, body: Buffer.from(body).toString() }
}

/** The µs of CPU that a server takes for each request; all of them must be accepted. */
async function cpuOf(server, request, requests) {
  const before = await server.ask('cpu')
  const outcome = await send(server, request, requests)
  const after = await server.ask('cpu')
  if (outcome['2xx'] !== requests)
    throw new Error(`Not all were accepted: ${JSON.stringify(outcome)}`)
  return (after - before) / requests
}

function send({ url }, request, amount) {
  return autocannon({ url, method: 'POST', ...request, amount, connections: Math.min(10, amount) })
}

/** Where the system can do that, the server has a core and the load another. */
function pin(pid, core) {
  spawnSync('taskset', ['--all-tasks', '--pid', '--cpu-list', String(core), String(pid)])
}
