export default {
  // The code blocks of the documentation are compiled by a test: what they import is used.
  compilers: {
    md: (text) =>
      [...withoutOthers(text).matchAll(/^(?:import|} from) .*$/gm)]
        .map(([line]) => imported(line))
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
        // Installed by the consumers for themselves.
        'esbuild',
        // In the code blocks of the packages' own documentation, which is compiled from here.
        '@electric-sql/pglite',
        '@koa/router',
        '@nestjs/testing',
        '@opentelemetry/api',
        '@opentelemetry/exporter-prometheus',
        '@opentelemetry/sdk-metrics',
        '@types/better-sqlite3',
        '@types/pg',
        // For npx webhook-receiver in this checkout.
        '@webhook-receiver/cli',
        '@webhook-receiver/client',
        '@webhook-receiver/conformance',
        '@webhook-receiver/contract',
        '@webhook-receiver/emulator',
        '@webhook-receiver/inspector',
        '@webhook-receiver/opentelemetry',
        '@webhook-receiver/postgres',
        '@webhook-receiver/redis',
        '@webhook-receiver/sqlite',
        'ajv',
        'graphile-worker',
        'ioredis',
        'pg',
        'postgres',
        'redis',
        'valibot',
      ],
      ignoreBinaries: ['openssl'],
    },
    'packages/*': {
      // Files named so are started by tests as programs, some of them through tsx.
      entry: ['test/**/*.{test,test-d}.ts', 'test/**/{contender,*-process}.ts'],
      project: ['{src,test}/**/*.ts'],
      // The first two are started as programs; core loads the diagnosis where it is installed.
      // Of better-sqlite3 only the types are installed: npm has no binary of it.
      ignoreDependencies: ['tsx', '@redocly/cli', '@webhook-receiver/diagnose', 'better-sqlite3'],
      ignoreBinaries: ['pgbouncer', 'promtool'],
    },
    'packages/acceptance': {
      entry: ['test/*.test.ts', 'test/*-process.ts'],
      // Left behind by a test that was stopped.
      ignore: ['test/.{blocks,start}-*/**'],
      // Runs the servers of the documentation.
      ignoreDependencies: ['tsx'],
    },
    'packages/consumers': {
      entry: ['*.mjs', 'test/*.test.ts'],
      project: ['**/*.{mjs,ts}'],
      // These run in a folder of their own, with what is installed there.
      ignore: ['{applications,diagnosis}/**', 'runtimes/{programs,suite}/**'],
      // Installed in such a folder too.
      ignoreDependencies: ['@asyncapi/parser'],
    },
    'packages/demo': { entry: ['*.mjs'] },
    // Some are started as processes.
    'packages/faults': {
      entry: [
        '*.mjs',
        'alerts/{receiver,cost-process}.mjs',
        'uploads/receiver.mjs',
        'test/*.test.ts',
      ],
      project: ['**/*.{mjs,ts}'],
      // Copied beside the worker of an example.
      ignore: ['inbox/{behaviour,*-handlers}.mjs'],
      ignoreBinaries: ['prometheus'],
    },
    'packages/fuzzing': {
      entry: ['*.mjs', '{bodies,paths}/process.mjs', 'sockets/server.mjs'],
      project: ['**/*.mjs'],
    },
    'packages/inspector': {
      entry: ['page/{main.tsx,editor.ts,vite.config.ts}', 'scripts/*.mjs', 'test/*.test.ts'],
      project: ['{src,page,test}/**/*.{ts,tsx}', 'scripts/*.mjs'],
    },
    'packages/model': { entry: ['properties.mjs'], project: ['*.mjs'] },
    'packages/mutation': {
      // Stryker and vitest load the others by their paths.
      entry: ['mutation.mjs', 'plugins.mjs', 'vitest.config.mjs'],
      ignore: ['control/**'],
    },
    'packages/release': {
      // Some are started as processes.
      entry: ['{rehearsal,examples}.mjs'],
      project: ['*.mjs'],
    },
    'packages/tools': { entry: ['*.mjs', '*.d.mts', 'test/*.test.ts'] },
    'packages/bench': {
      // Sections are imported by name; programs and servers are started as processes.
      entry: [
        '*.mjs',
        '*/index.mjs',
        '*/program.mjs',
        'startup/load.mjs',
        'startup/empty.mjs',
        '{http,soak}/{load,server}.mjs',
        'http/servers/*.mjs',
      ],
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
