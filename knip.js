export default {
  // The code blocks of the documentation are compiled by a test: what they import is used.
  compilers: {
    md: (text) =>
      [...withoutOthers(text).matchAll(/^(?:import|} from) .*['"].*$/gm)]
        .map(([line]) => imported(line))
        // Another block of the page.
        .filter((line) => !line.includes("'./"))
        .join('\n'),
  },
  workspaces: {
    '.': {
      entry: ['*.md', 'docs/**/*.md'],
      project: ['*.{js,mjs,ts}'],
      ignoreDependencies: [
        // Started from node_modules/.bin.
        '@arethetypeswrong/cli',
        'publint',
        // In the code blocks of the packages' own documentation, which is compiled from here.
        '@electric-sql/pglite',
        '@koa/router',
        '@nestjs/testing',
        '@opentelemetry/api',
        '@opentelemetry/exporter-prometheus',
        '@opentelemetry/sdk-metrics',
        '@types/better-sqlite3',
        '@types/pg',
        /^@webhook-receiver\//,
        'webhook-receiver',
        'ajv',
        'ioredis',
        'pg',
        'postgres',
        'redis',
        'valibot',
      ],
      ignoreBinaries: ['openssl', 'pipx'],
    },
    '{packages,workshop}/*': {
      // Files named so are started by tests as programs, some of them through tsx.
      // The last is bundled beside a command, for the site and the checks.
      entry: ['test/**/*.{test,test-d}.ts', 'test/**/{contender,*-process}.ts', 'src/add/index.ts'],
      project: ['{src,test}/**/*.ts'],
      // The first two are started as programs. Of better-sqlite3 only the types are installed: npm has no binary of it.
      ignoreDependencies: ['tsx', '@redocly/cli', 'better-sqlite3'],
      ignoreBinaries: ['pgbouncer', 'promtool'],
    },
    'workshop/prove': {
      // Started as processes.
      entry: [
        'test/*-process.ts',
        // Programs of verbs.mjs, here and below.
        'packed/{add,consumers,runtimes}.mjs',
        'documents/{blocks,orms,start}.mjs',
        'judges/{doctor,judges,tokens}.mjs',
        'release/{rehearsal,tarballs}.mjs',
      ],
      project: ['**/*.{mjs,ts}'],
      // The first are left behind by a test that was stopped; the others run in a folder of their own, with what is installed there.
      ignore: [
        '.add-*/**',
        'test/.{blocks,services,start}-*/**',
        'packed/applications/**',
        'packed/runtimes/suite/**',
      ],
      // Installed in such a folder too.
      ignoreDependencies: ['tsx'],
      ignoreBinaries: ['pgbouncer'],
    },
    'workshop/break': {
      // Started as a process, and loaded by Stryker.
      entry: [
        'receiver.mjs',
        '{mutation,stryker.config,stryker.vitest}.mjs',
        '{faults,fuzzing}/*.mjs',
        'faults/recipes/serve.mjs',
        'guide-receiver.mjs',
        'bridges.mjs',
        'bridges/worker.mjs',
      ],
      project: ['**/*.{mjs,ts}'],
      // Copied beside the worker of an example.
      ignore: ['faults/inbox/handlers.mjs'],
      ignoreBinaries: ['prometheus'],
    },
    'packages/inspector': {
      entry: [
        'page/{main.tsx,editor.ts,vite.config.ts}',
        'debugger/{main.tsx,vite.config.ts}',
        'test/*.test.ts',
      ],
      project: ['{src,page,debugger,test}/**/*.{ts,tsx,mjs}'],
    },
    'workshop/measure': {
      // Programs of verbs.mjs; sections are imported by name; servers and runs are started as processes.
      entry: ['*.mjs', 'inbox/process.mjs'],
      project: ['**/*.mjs'],
      // Pins processes to cores, where there is one.
      ignoreBinaries: ['taskset'],
    },
    'examples/*': { project: ['*.ts'] },
  },
}

/** Only where it comes from: the names may be split over many lines. */
function imported(line) {
  return `import ${line.slice(line.search(/['"]/))}`
}

/** Without the blocks that name what they need: those packages are installed only to compile them. */
function withoutOthers(text) {
  return text.replaceAll(/^```\w+(?: \[\S+\])? needs=.*?^```$/gms, '')
}
