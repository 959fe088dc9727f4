import { kind, name } from './kinds.mjs'
import { capital } from './names.mjs'
import { packages, rangeOf } from './packages.mjs'

/**
 * Without the neighbour's facts. The value of a service is rejected until it has a day, and its pages have addresses. What users read of an
 * adapter has the version of its framework, and no parser of the neighbour's.
 */
export function withoutFacts(file, text) {
  if (kind === 'service') {
    return text
      .replace(/checked: '[^']*'/, "checked: ''")
      .replace(/https:\/\/[^'"\s]+/g, 'https://')
  }
  const version = packages.find(([, to]) => to === name)?.[2]
  if (!version || !/\.(md|json)$|\/(add|examples)\//.test(file)) return text
  const title = name.split('-').map(capital).join(' ')
  const number = '\\d+(?:\\.\\d+)*\\+?'
  const versions = new RegExp(
    `(?<=${title}(?:\\]\\(\\S+\\))? )${number}(?: or newer)?(?:(?:,? (?:and|or)|,) ${number})*`,
    'g',
  )
  const parser = new RegExp(`(?:\\bany )?\`?\\b${name}\\.json\\(\\)\`?`, 'g')
  return text.replace(versions, rangeOf(version)).replace(parser, 'any body parser')
}
