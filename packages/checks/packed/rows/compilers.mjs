import { join } from 'node:path'
import { extensionsOf, MODULES } from '../compile.mjs'
import { startNode, tryApplication } from '../deliver.mjs'
import { compiled, compileTypeTests, ENDS, TYPESCRIPTS } from '../peers.mjs'

const SHORT = ['TypeScript 5.9, commonjs', 'TypeScript 5.9, nodenext']

/** The applications in each setting of each TypeScript, of which that on Express then runs; and the type tests. */
export const compilerRows = TYPESCRIPTS.flatMap((line) => [
  ...MODULES.map((module) => {
    const name = `TypeScript ${line}, ${module}`
    return {
      name,
      short: SHORT.includes(name),
      run: (context) => compileAndRun(context, line, module),
    }
  }),
  {
    name: `TypeScript ${line}, type tests`,
    short: false,
    run: (context) => tryTypeTests(context, line),
  },
])

async function compileAndRun(context, line, module) {
  const trials = ENDS.map(async (end) => {
    const { folder, into, version, problems } = await compiled(context, end, line, module)
    const saw = []
    const found = [...problems]
    for (const extension of extensionsOf(module)) {
      const file = join(into, `express.${extension.replace('ts', 'js')}`)
      const result = await tryApplication((secret) => startNode(secret, { cwd: folder, file }))
      saw.push(result.saw)
      found.push(...result.problems.map((problem) => `${end}, ${file}: ${problem}`))
    }
    return { version, saw: saw.join(', '), problems: found }
  })
  return summary(await Promise.all(trials))
}

async function tryTypeTests(context, line) {
  const settings = ENDS.flatMap((end) => ['nodenext', 'bundler'].map((module) => [end, module]))
  const trials = settings.map(async ([end, module]) => {
    const { files, version, problems } = await compileTypeTests(context, end, line, module)
    return { version, saw: `${files.length} files`, problems }
  })
  return summary(await Promise.all(trials))
}

function summary(trials) {
  return {
    versions: `typescript ${trials[0].version}`,
    saw: trials.map(({ saw }) => saw).join('; '),
    problems: trials.flatMap(({ problems }) => problems),
  }
}
