export default {
  // The code blocks of the documentation are compiled by a test: what they import is used.
  compilers: {
    md: (text) =>
      [...text.matchAll(/^(?:import|} from) .*$/gm)].map(([line]) => imported(line)).join('\n'),
  },
  workspaces: {
    '.': {
      entry: [
        '*.md',
        'docs/**/*.md',
        'scripts/*.mjs',
        'scripts/demo/*.mjs',
        // Given to vitest by its path.
        'scripts/mutation/runner.mjs',
        // Started as a process.
        'scripts/path-fuzz/subject.mjs',
        // Started as a process.
        'scripts/uploads/receiver.mjs',
        'scripts/test/*.test.ts',
      ],
      project: ['scripts/**/*.{mjs,ts}'],
      // These run in a folder of their own, with what is installed there, or hold what is wrong on purpose.
      ignore: [
        'scripts/consumer/**',
        'scripts/runtimes/{programs,suite}/**',
        'scripts/mutation/control/**',
        // Left behind by a test that was stopped.
        'scripts/test/.blocks-*/**',
      ],
      ignoreDependencies: [
        // Started from node_modules/.bin.
        '@arethetypeswrong/cli',
        'publint',
        // Installed by the consumers for themselves.
        'esbuild',
        // In the code blocks of the packages' own documentation, which is compiled from here.
        '@electric-sql/pglite',
        '@koa/router',
        '@types/pg',
        '@types/supertest',
        // For npx webhook-receiver in this checkout.
        '@webhook-receiver/cli',
        '@webhook-receiver/client',
        '@webhook-receiver/conformance',
        '@webhook-receiver/emulator',
        '@webhook-receiver/postgres',
        '@webhook-receiver/redis',
        'ioredis',
        'pg',
        'postgres',
        'redis',
        'supertest',
        'valibot',
      ],
      ignoreBinaries: ['openssl'],
    },
    'packages/*': {
      // Files named so are started by tests as programs, some of them through tsx.
      entry: ['test/**/*.{test,test-d}.ts', 'test/**/{contender,*-process}.ts'],
      project: ['{src,test}/**/*.ts'],
      ignoreDependencies: ['tsx'],
      ignoreBinaries: ['pgbouncer'],
    },
    'packages/bench': {
      // Sections are imported by name; programs and servers are started as processes.
      entry: [
        'bench.mjs',
        '*/index.mjs',
        '*/program.mjs',
        'startup/load.mjs',
        'startup/empty.mjs',
        'verdict/web-backend.mjs',
        'http/{load,server}.mjs',
        'http/servers/*/*.mjs',
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
