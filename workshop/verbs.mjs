// `npm run prove`, `npm run break` and `npm run measure`: each has programs in the folder of its name, and each program has --help.

const VERBS = {
  prove: {
    consumers: ['packed/consumers.mjs', 'applications that install the packed packages'],
    runtimes: ['packed/runtimes.mjs', 'the tests of core, and the examples, on other runtimes'],
    blocks: ['documents/blocks.mjs', 'the code blocks that need other packages'],
    add: [
      'packed/add.mjs',
      'what `webhook-receiver add` writes, for drawn services and frameworks',
    ],
    orms: ['documents/orms.mjs', 'the recipes of docs/guides/orms.md'],
    start: ['documents/start.mjs', 'docs/start.md, followed word by word'],
    judges: ['judges/judges.mjs', 'the schemes, against the SDKs of their services'],
    doctor: ['judges/doctor.mjs', 'the doctor, on receivers with the SDKs of the services'],
    tokens: ['judges/tokens.mjs', 'the services that sign by tokens, against their SDKs'],
    rehearsal: ['release/rehearsal.mjs', 'a release to a registry on this machine'],
    tarballs: ['release/tarballs.mjs', 'writes what a release would publish into a folder'],
  },
  break: {
    chaos: ['faults/chaos.mjs', 'kills receivers and workers'],
    recipes: [
      'faults/recipes.mjs',
      'the recipes of the stores, in a new process and without their servers',
    ],
    bridges: ['bridges.mjs', 'the pages of the queues, each against its engine'],
    canary: ['faults/canary.mjs', 'looks for secrets and bodies in all that comes out'],
    fuzz: ['fuzzing/requests.mjs', 'random requests, compared with a model'],
    schemes: ['fuzzing/schemes.mjs', 'random schemes'],
    mutation: ['mutation.mjs', 'changes the code, and sees whether a test fails'],
  },
  measure: {
    bench: ['bench.mjs', 'what docs/bench.md shows'],
    soak: ['soak.mjs', 'the memory of a receiver under load'],
    timing: ['timing/index.mjs', 'whether the time of a comparison depends on the secret'],
  },
}

const [verb = '', name = '--help', ...args] = process.argv.slice(2)
const programs = VERBS[verb]
const [file] = (Object.hasOwn(programs, name) && programs[name]) || []
if (file) {
  const url = new URL(`${verb}/${file}`, import.meta.url)
  process.argv.splice(1, Infinity, url.pathname, ...args)
  await import(url)
} else {
  const isHelp = name === '--help'
  const rows = Object.entries(programs).map(([each, [, what]]) => `  ${each.padEnd(10)} ${what}`)
  const usage = `npm run ${verb} -- <program> [options], or --help behind the program\n\n${rows.join('\n')}`
  if (isHelp) console.log(usage)
  else console.error(`There is no program ${JSON.stringify(name)}.\n\n${usage}`)
  process.exitCode = isHelp ? 0 : 2
}
