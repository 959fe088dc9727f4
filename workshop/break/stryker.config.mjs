// How Stryker mutates a package; mutation.mjs names the package.
import { fileURLToPath } from 'node:url'
import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin'

const leftOut = {
  shouldIgnore(node) {
    // A test that loads the module once more would seem to cover it.
    if (node.isLiteral() && !node.getFunctionParent()) return 'Read when the module is loaded.'
    // The tests check codes and statuses, and no sentence word by word.
    const words = node.isStringLiteral() ? node.node.value : textOf(node)
    if (words.split(/\s+/).filter((word) => /^[a-z]+[,.:;]?$/i.test(word)).length > 2)
      return 'Text for people.'
    const error = words !== '' && node.findParent((parent) => parent.isNewExpression())
    return error && /Error$/.test(error.node.callee.name ?? '') ? 'Text of an error.' : undefined
  },
}

function textOf(node) {
  return node.isTemplateLiteral() ? node.node.quasis.map(({ value }) => value.raw).join(' ') : ''
}

export const strykerPlugins = [declareValuePlugin(PluginKind.Ignore, 'left out', leftOut)]

export default {
  plugins: [
    fileURLToPath(import.meta.resolve('@stryker-mutator/vitest-runner')),
    import.meta.filename,
  ],
  testRunner: 'vitest',
  ignorers: ['left out'],
  // Code that runs when a module is loaded: each of its mutants would need all tests of the package.
  ignoreStatic: true,
  reporters: ['clear-text', 'progress-append-only'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  // More than there are processors: some mutants only wait.
  concurrency: 4,
  // Besides 1.5 times what its tests take without it. Then its processes are killed.
  timeoutMS: 8_000,
  // Without TypeScript's own interface, which version 7 does not have.
  tsconfigFile: 'none.json',
  ignorePatterns: ['examples', '.tsc'],
  // Of all tests of the package, also on a machine that is busy with other things.
  dryRunTimeoutMinutes: 60,
  tempDirName: '.stryker',
  logLevel: 'warn',
}
