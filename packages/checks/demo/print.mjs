import { cell, terminalTable, tick, wrap } from '../table.mjs'

/** Prints all results. `cells` holds one response of each application, request by request. */
export function print({ names, signer, cells, parserCell, wrong, seconds }) {
  const titles = {
    valid: `Signed with ${signer}, not with this library`,
    rejected: 'Signed so too, and not to be accepted',
  }
  const rows = cells.flatMap(({ request: { section, name } }, at) => {
    if (at % names.length !== 0) return []
    const row = [name, ...cells.slice(at, at + names.length).map(cell)]
    return section === cells[at - 1]?.request.section ? [row] : [titles[section], row]
  })
  console.log(`\n${terminalTable(['delivery', ...names], rows)}`)
  console.log(
    `\n${tick(true)} right  ${tick(false)} wrong  ` +
      'seen: the handler printed this delivery, once  —: the handler never ran\n',
  )
  console.log(`A valid delivery behind express.json():  ${cell(parserCell)}`)
  console.log(`The operator of that one reads:\n${wrap(parserCell.line ?? 'nothing', '  ')}\n`)
  if (wrong.length === 0) {
    console.log(`${tick(true)} All ${cells.length + 1} responses are as expected, in ${seconds} s.`)
  } else {
    console.log(`${tick(false)} Wrong:\n${wrong.map((problem) => `  - ${problem}`).join('\n')}`)
  }
}
