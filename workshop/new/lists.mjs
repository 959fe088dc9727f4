import { withoutFacts } from './facts.mjs'
import { read, write } from './files.mjs'
import { kind, like, name } from './kinds.mjs'
import { renamed } from './names.mjs'

/** Copies what names the neighbour, if it is complete by itself. Returns where that was added, or where it is left to you. */
export function addTo(file, words) {
  const lines = read(file).split('\n')
  const at = lines.findIndex((line) => line.toLowerCase().includes(words.toLowerCase()))
  if (at === -1) return {}
  const isLine = isComplete(lines[at])
  // In a sentence that names all, before the last or behind any other.
  const last = new RegExp(` (?:or|and) \`${like}\``)
  if (last.test(lines[at])) {
    lines[at] = lines[at].replace(last, (found) => `, \`${name}\`${found}`)
    write(file, lines.join('\n'))
    return { added: [`${file}:${at + 1}`] }
  }
  const named = new RegExp(
    `(?:\\[[^\\]]*\\]\\((?:[^)#]*/)?${like}\\)|\`${like}\`)(?=, | (?:or|and) )`,
  )
  if (named.test(lines[at])) {
    lines[at] = lines[at].replace(named, (found) => `${found}, ${renamed(found)}`)
    write(file, lines.join('\n'))
    return { added: [`${file}:${at + 1}`] }
  }
  const copied = isLine ? [lines[at]] : blockAround(file, lines, at)
  if (!copied) return { left: [`${file}:${at + 1}, beside ${lines[at].trim().slice(0, 60)}`] }
  const block = copied.map((line) => withoutFacts(file, renamed(line)))
  const place = isLine ? placeOf(lines, at, block[0]) : endOf(lines, at, copied)
  lines.splice(place, 0, ...block)
  write(file, lines.join('\n'))
  return { added: [`${file}:${place + 1}: ${block[0].trim().slice(0, 80)}`] }
}

/**
 * The section of a page, or the function or entry of an application, with what separates it from the next one. Judges and
 * clients of stores differ too much to be copied.
 */
function blockAround(file, lines, at) {
  if (kind === 'service' || (kind === 'store' && !file.endsWith('.md'))) return undefined
  const forms = file.endsWith('.md')
    ? [
        [/^### /, /^#{1,3} |^<!-- \/?choose/],
        [/^## /, /^#{1,2} /],
      ]
    : [
        [/^ {2}['\w].*[{`]/, /^ {2}['\w]|^\S/],
        [/^export (?:const|function) /, /^[^\s}]/],
      ]
  for (const [isStart, isNext] of forms) {
    const start = lines.findLastIndex((line, index) => index <= at && isStart.test(line))
    const length = lines.slice(start + 1).findIndex((line) => isNext.test(line))
    if (start !== -1 && start + length >= at) return lines.slice(start, start + 1 + length)
  }
  return undefined
}

function endOf(lines, at, block) {
  return lines.findLastIndex((line, index) => index <= at && line === block[0]) + block.length
}

function isComplete(line = '') {
  return /^ *(\||"|'|\['|export |\w+: servers\.).*[^{([]$/.test(line)
}

/** In sorted lists, that of the order; in others, somewhere among the lines of the list. */
function placeOf(lines, at, line) {
  let place = at + 1
  while (isComplete(lines[place]) && lines[place] < line) place += 1
  while (isComplete(lines[place - 1]) && lines[place - 1] > line) place -= 1
  return place
}
