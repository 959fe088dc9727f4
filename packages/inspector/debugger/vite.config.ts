import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig, type Plugin } from 'vite'

const SERVICES = join(import.meta.dirname, '../../schemes/services')

/** The frame of the debugger: one file, which asks for nothing. The site has it beside its pages. */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  // From the sources of the packages, without a build of them; and not those for Node.
  resolve: { conditions: ['@webhook-receiver/source', 'browser', 'import', 'default'] },
  define: { SERVICES: JSON.stringify(facts()) },
  plugins: [inOneFile()],
  build: {
    outDir: '../dist/debugger',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { checks: { pluginTimings: false } },
  },
  // What it warns of, modules of Node, no function here calls.
  logLevel: 'error',
})

/** Of each service, what the debugger shows. */
function facts() {
  const files = readdirSync(SERVICES).map((name) => {
    const { title, variable, samples } = JSON.parse(readFileSync(join(SERVICES, name), 'utf8'))
    const [[event, { body }]] = Object.entries<{ readonly body: object }>(samples)
    return [name.replace('.json', ''), { title, variable, event, sample: body }]
  })
  return Object.fromEntries(files)
}

/**
 * Puts the script and the style into the page, with a policy that names exactly these two and allows nothing else: no request of any
 * kind. A frame in a sandbox has no origin, so that it could not load them from its own.
 */
function inOneFile(): Plugin {
  return {
    name: 'in-one-file',
    enforce: 'post',
    generateBundle(_, bundle) {
      const files = Object.values(bundle)
      const page = files.find(({ fileName }) => fileName.endsWith('.html'))
      if (page?.type !== 'asset') throw new Error('There is no page.')
      const script = files.flatMap((file) => (file.type === 'chunk' ? [file.code] : [])).join('')
      const style = files.flatMap((file) =>
        file.type === 'asset' && file.fileName.endsWith('.css') ? [String(file.source)] : [],
      )
      // An end tag in a text would end the script.
      const code = `\n${script.replaceAll('</script', '<\\/script')}`
      const policy = `default-src 'none'; script-src '${hashOf(code)}'; style-src '${hashOf(style.join(''))}'; form-action 'none'; base-uri 'none'`
      page.source = String(page.source)
        .replace('content=""', () => `content="${policy}"`)
        .replace(/\s*<link rel="stylesheet"[^>]*>/, () => `<style>${style.join('')}</style>`)
        .replace(/\s*<script type="module"[^>]*><\/script>/, '')
        .replace('</body>', () => `<script type="module">${code}</script>\n  </body>`)
      for (const { fileName } of files) if (fileName !== page.fileName) delete bundle[fileName]
    },
  }
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
