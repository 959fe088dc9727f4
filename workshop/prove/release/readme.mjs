import { codeBlocks } from '../documents/code-blocks.mjs'

/**
 * What somebody who opens a README tries first: the install line, and the first program or, where there is none, the
 * first command.
 *
 * @param {string} readme
 */
export function firstSteps(readme) {
  const blocks = codeBlocks(readme)
  const lines = blocks
    .filter(({ language }) => language === 'sh')
    .flatMap(({ code }) => code.split('\n'))
    .map((line) => line.replace(/ +#.*/, ''))
  return {
    install: lines.find((line) => line.startsWith('npm install ')),
    program: blocks.find(({ language }) => language === 'ts' || language === 'js'),
    command: lines.find((line) => line.startsWith('npx ')),
  }
}

/**
 * The packages that a program imports.
 *
 * @param {string} code
 * @returns {string[]}
 */
export function importsOf(code) {
  const specifiers = [...code.matchAll(/^(?:import|.* from) .*?(['"])(.+?)\1/gm)]
  const names = specifiers
    .map(([, , specifier]) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0])
    .filter((name) => !name.startsWith('node:') && !name.startsWith('.'))
  return [...new Set(names)]
}
