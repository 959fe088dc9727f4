import { sections } from '../sections.mjs'

/** Every page of the documentation by section and group, for the index on GitHub. */
export function contents() {
  return sections.map(({ title, groups }) => `## ${title}\n\n${linesOf(groups)}`).join('\n\n')
}

function linesOf(groups) {
  const rows = groups.map(({ name, pages }) => {
    // What is made for the site has no file here.
    const listed = pages.filter(
      ({ file }) => !file.startsWith('packages/site/') && !isListedElsewhere(file),
    )
    return { name, links: listed.map(({ title, file }) => `[${title}](${fromDocs(file)})`) }
  })
  return rows
    .filter(({ links }) => links.length > 0)
    .map(({ name, links }) => `- ${name && `**${name}:** `}${links.join(' · ')}`)
    .join('\n')
}

function fromDocs(file) {
  return file.startsWith('docs/') ? file.slice('docs/'.length) : `../${file}`
}

/** The page of the packages, or that of the services, lists them. */
function isListedElsewhere(file) {
  return /^packages\/(?!cli\/)|^docs\/services\/(?!README)/.test(file)
}
