import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT } from '../sources.mjs'
import { table } from './table.mjs'

const OPTION = /\/\*\*((?:(?!\*\/).)*)\*\/\s*readonly (\w+)(\??):/gs
const METHOD = /\/\*\*((?:(?!\*\/).)*)\*\/\s*(\w+)\(/gs

/** The options of interfaces in a source file, from their docblocks. */
export async function optionTable(file, ...interfaces) {
  const rows = await membersOf(file, interfaces, OPTION)
  return table(
    ['option, default', 'meaning'],
    rows.map(({ name, text, preset, mark }) => [
      // Two columns fit on a phone.
      [`\`${name}\``, mark === '' ? 'required' : asCode(preset)].filter(Boolean).join('<br>'),
      text,
    ]),
  )
}

/** The methods of an interface in a source file. */
export async function methodTable(file, name) {
  const rows = await membersOf(file, [name], METHOD)
  return table(
    ['method', 'what it does'],
    rows.map(({ name: method, text }) => [`\`${method}\``, text]),
  )
}

async function membersOf(file, interfaces, pattern) {
  const source = await readFile(join(ROOT, file), 'utf8')
  return interfaces.flatMap((name) => {
    const body = new RegExp(`interface ${name}\\b[^{]*{(.*?)\\n}`, 's').exec(source)?.[1]
    const members = [...(body ?? '').matchAll(pattern)]
    if (members.length === 0) throw new Error(`${file} has no interface ${name} with docblocks.`)
    return members.map(([, comment, member, mark]) => ({
      ...readDocblock(comment),
      name: member,
      mark,
    }))
  })
}

function readDocblock(comment) {
  const [text = '', preset = ''] = comment
    .replaceAll(/\n\s*\* ?/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .split('@default')
  return { text: text.trim(), preset: preset.trim() }
}

/** A value, not a sentence. */
function asCode(text) {
  return /^(?:\S+|'.*')$/.test(text) && !text.includes('`') ? `\`${text}\`` : text
}
