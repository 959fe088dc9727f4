import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT } from '../sources.mjs'
import { table } from './table.mjs'

const OPTION = /\/\*\*((?:(?!\*\/).)*)\*\/\s*readonly (\w+)(\??):/gs

/** The options of interfaces in a source file, from their docblocks. */
export async function optionTable(file, ...interfaces) {
  const rows = await optionsOf(file, interfaces)
  return table(
    ['option, default', 'meaning'],
    rows.map(({ name, text, preset, mark }) => [
      // Two columns fit on a phone.
      [`\`${name}\``, mark === '' ? 'required' : asCode(preset)].filter(Boolean).join('<br>'),
      text,
    ]),
  )
}

async function optionsOf(file, interfaces) {
  const source = await readFile(join(ROOT, file), 'utf8')
  return interfaces.flatMap((name) => {
    const body = new RegExp(`interface ${name}\\b[^{]*{(.*?)\\n}`, 's').exec(source)?.[1]
    const options = [...(body ?? '').matchAll(OPTION)]
    if (options.length === 0) throw new Error(`${file} has no interface ${name} with docblocks.`)
    return options.map(([, comment, option, mark]) => ({
      ...readDocblock(comment),
      name: option,
      mark,
    }))
  })
}

function readDocblock(comment) {
  const [text = '', preset = ''] = comment
    .replaceAll(/\n\s*\* ?/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .split('@default')
  return { text: shorten(text.trim()), preset: preset.trim() }
}

/** What holds for every option or hook is said once on the page: here only what is allowed, if the type does not say it. */
function shorten(text) {
  return text
    .replace(
      / ?Anything but ((?:\d|letters|a (?:whole )?number|a string that)[^.]*?),? is a TypeError\.$/,
      ' Allowed: $1.',
    )
    .replace(/ ?Any(?:thing| other value)\b[^.]* is a TypeError\.$/, '')
    .replace(/ If (?:it|the hook) throws an error(?: itself)?, the response does not change\.$/, '')
    .trim()
}

/** A value, not a sentence. */
function asCode(text) {
  return /^(?:\S+|'.*')$/.test(text) && !text.includes('`') ? `\`${text}\`` : text
}
