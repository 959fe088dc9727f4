import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT } from '../sources.mjs'

const OPTION =
  /\/\*\*((?:(?!\*\/).)*)\*\/\s*readonly (\w+)(\??):(.*?)(?=\n {2}(?:\/\*\*|readonly)|$)/gs

/**
 * The options of interfaces in a source file, from their docblocks: each with its type and default, and what it does below. Those that the
 * page has already are left out: `-now`.
 */
export async function optionList(file, ...names) {
  const known = names.filter((name) => name.startsWith('-')).map((name) => name.slice(1))
  const interfaces = names.filter((name) => !name.startsWith('-'))
  const options = (await optionsOf(file, interfaces)).filter(({ name }) => !known.includes(name))
  return options.map(entryOf).join('\n\n')
}

function entryOf({ name, type, text, preset, isRequired }) {
  const [short] = preset.split(/[;,:] | \(/, 1)
  const isSaid = ['', 'none', 'the default format'].includes(short)
  const value = isRequired ? 'required' : isSaid ? '' : `default ${shown(short.trim())}`
  const rest = isSaid || short === preset ? '' : ` Default: ${preset}.`
  return `### \`${name}\`\n\n${[`\`${type}\``, value].filter(Boolean).join(' · ')}\n\n${text}${rest}`
}

async function optionsOf(file, interfaces) {
  const source = await readFile(join(ROOT, file), 'utf8')
  return interfaces.flatMap((name) => {
    const body = new RegExp(`interface ${name}\\b[^{]*{(.*?)\\n}`, 's').exec(source)?.[1]
    const options = [...(body ?? '').matchAll(OPTION)]
    if (options.length === 0) throw new Error(`${file} has no interface ${name} with docblocks.`)
    return options.map(([, comment, option, mark, type]) => ({
      ...readDocblock(comment),
      name: option,
      type: plain(type),
      isRequired: mark === '',
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

/** What holds for every option or hook is said once on the page, and what is allowed by the error. */
function shorten(text) {
  return (
    text
      .replace(/ ?Any(?:thing| other value)\b[^.]* is a TypeError(?:, and so is [^.]*)?\./g, '')
      .replace(/, in seconds(?=[.;])/, '')
      // A URL would become a link.
      .replaceAll(/(?<= )'(\S+?)'(?=[ ;,.])/g, "`'$1'`")
      .replace(
        / If (?:it|the hook) throws an error(?: itself)?, the response does not change\.$/,
        '',
      )
      .trim()
  )
}

/** A value, not a sentence. */
function shown(text) {
  return /^(?:(?!none$)\S+|'.*')$/.test(text) && !text.includes('`') ? `\`${text}\`` : text
}

/** A type as a reader thinks of it, without what only the compiler needs. */
function plain(type) {
  const text = type.replaceAll(/\s+/g, ' ').replaceAll('readonly ', '')
  if (text.includes('{')) return 'object'
  const parts = text
    .replaceAll(/\(+[^|]*=>[^|]*/g, 'function ')
    .split('|')
    .map((part) => part.replace(/<.*/, '').trim())
    .map((part) => NAMES[part] ?? part)
    .filter((part) => part !== '' && part !== 'undefined')
  return parts.map((part) => (/Hook$/.test(part) ? 'function' : part)).join(' | ')
}

/** What names of types stand for. */
const NAMES = {
  Diagnose: 'function',
  Duplicates: "'id' | 'body' | function",
  'ExtraEvent[]': 'string[]',
  PublicUrl: 'string | function',
  Query: 'function',
  Record: 'object',
  SendCommand: 'function',
  UpdateItem: 'function',
}
