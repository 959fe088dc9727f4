// `npm run prove`, `npm run break` and `npm run measure`: each has programs in the folder of its name, and each program has --help.

const VERBS = {
  prove: {
    add: 'packed/add.mjs',
    blocks: 'documents/blocks.mjs',
    consumers: 'packed/consumers.mjs',
    doctor: 'judges/doctor.mjs',
    judges: 'judges/judges.mjs',
    orms: 'documents/orms.mjs',
    rehearsal: 'release/rehearsal.mjs',
    runtimes: 'packed/runtimes.mjs',
    start: 'documents/start.mjs',
    tarballs: 'release/tarballs.mjs',
    tokens: 'judges/tokens.mjs',
  },
  break: {
    bridges: 'bridges.mjs',
    canary: 'faults/canary.mjs',
    chaos: 'faults/chaos.mjs',
    fuzz: 'fuzzing/requests.mjs',
    mutation: 'mutation.mjs',
    recipes: 'faults/recipes.mjs',
    schemes: 'fuzzing/schemes.mjs',
  },
  measure: { bench: 'bench.mjs', soak: 'soak.mjs' },
}

const [verb = '', name = '--help', ...args] = process.argv.slice(2)
const programs = VERBS[verb]
if (Object.hasOwn(programs, name)) {
  const url = new URL(`${verb}/${programs[name]}`, import.meta.url)
  process.argv.splice(1, Infinity, url.pathname, ...args)
  await import(url)
} else {
  const isHelp = name === '--help'
  const usage = `npm run ${verb} -- PROGRAM [OPTIONS], or --help behind the program: ${Object.keys(programs).join(', ')}`
  if (isHelp) console.log(usage)
  else console.error(`There is no program ${JSON.stringify(name)}.\n${usage}`)
  process.exitCode = isHelp ? 0 : 2
}
