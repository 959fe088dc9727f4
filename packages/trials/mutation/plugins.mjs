// Plugins of Stryker: which mutants a run leaves out.
import { readFileSync, writeFileSync } from 'node:fs'
import { declareClassPlugin, declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin'
import { seeded } from '../random.mjs'

/** The reporter draws a sample in the main process; the checker reads it in another. */
const sampleOfRun = () => JSON.parse(process.env.MUTATION_SAMPLE)

/** The tests check codes and statuses of errors, not their sentences. */
const texts = {
  shouldIgnore(node) {
    const isText = node.isStringLiteral() || node.isTemplateLiteral()
    const error = isText && node.findParent((parent) => parent.isNewExpression())
    return error && /Error$/.test(error.node.callee.name ?? '') ? 'text' : undefined
  },
}

class Draw {
  onMutationTestingPlanReady({ mutantPlans }) {
    const { file, size, seed } = sampleOfRun()
    const random = seeded(seed)
    const drawn = mutantPlans
      .filter(({ plan }) => plan === 'Run')
      .map(({ mutant }) => ({ id: mutant.id, place: random() }))
      .sort((one, other) => one.place - other.place)
      .slice(0, size)
    writeFileSync(file, JSON.stringify(drawn.map(({ id }) => id)))
  }
}

class Drawn {
  async init() {}

  /** All in one check. */
  async group(mutants) {
    return [mutants.map(({ id }) => id)]
  }

  /** Stryker has no other status for what a checker leaves out than an error of the compiler. */
  async check(mutants) {
    const drawn = new Set(JSON.parse(readFileSync(sampleOfRun().file, 'utf8')))
    return Object.fromEntries(
      mutants.map(({ id }) => [
        id,
        drawn.has(id)
          ? { status: 'passed' }
          : { status: 'compileError', reason: 'not in the sample' },
      ]),
    )
  }
}

export const strykerPlugins = [
  declareValuePlugin(PluginKind.Ignore, 'texts', texts),
  declareClassPlugin(PluginKind.Reporter, 'draw', Draw),
  declareClassPlugin(PluginKind.Checker, 'drawn', Drawn),
]
