import * as servers from './applications.ts'
import { TSX } from './applications.ts'
import { next, nuxt, sveltekit } from './file-routes.ts'
import type { Framework } from './framework.ts'
import { awsLambda, bun, deno, workers } from './functions.ts'
import { nestjs } from './nestjs.ts'

export type FrameworkName =
  | 'express'
  | 'next'
  | 'hono'
  | 'fastify'
  | 'nestjs'
  | 'koa'
  | 'node'
  | 'sveltekit'
  | 'nuxt'
  | 'elysia'
  | 'bun'
  | 'deno'
  | 'workers'
  | 'aws-lambda'

/** In the order of docs/start.md. */
export const FRAMEWORKS: Readonly<Record<FrameworkName, Framework>> = {
  express: servers.express,
  next: {
    title: 'Next.js',
    foundBy: ['next'],
    packages: {
      run: ['next', 'react', 'react-dom'],
      develop: ['typescript', '@types/node', '@types/react'],
    },
    isBundled: true,
    start: 'next dev',
    readsEnvFile: true,
    sharedFolder: ({ hasPagesOnly }) => (hasPagesOnly ? '../../../webhooks' : '..'),
    workerRuns: 'where a process stays: not on Vercel or Netlify',
    application: next,
  },
  hono: servers.hono,
  fastify: servers.fastify,
  nestjs,
  koa: servers.koa,
  node: servers.node,
  sveltekit: {
    title: 'SvelteKit',
    foundBy: ['@sveltejs/kit'],
    packages: {
      run: [],
      develop: ['@sveltejs/kit', '@sveltejs/vite-plugin-svelte', 'svelte', 'vite', 'typescript'],
    },
    isBundled: true,
    // Vite does not put what is in .env into the environment.
    start: 'node --env-file=.env node_modules/vite/bin/vite.js dev --port 3000',
    sharedFolder: () => '..',
    workerRuns: 'where a process stays: not on Vercel or Netlify',
    settings: {
      'vite.config.js':
        "import { sveltekit } from '@sveltejs/kit/vite'\n\nexport default { plugins: [sveltekit()] }\n",
      'src/app.html': '%sveltekit.head%%sveltekit.body%\n',
    },
    application: sveltekit,
  },
  nuxt: {
    title: 'Nuxt',
    foundBy: ['nuxt'],
    packages: { run: ['nuxt'], develop: ['typescript'] },
    isBundled: true,
    start: 'nuxt dev --port 3000',
    readsEnvFile: true,
    sharedFolder: () => '../../utils',
    workerRuns: 'where a process stays: not on Vercel or Netlify',
    application: nuxt,
  },
  elysia: servers.elysia,
  bun: {
    title: 'Bun and Deno',
    foundBy: ['@types/bun'],
    packages: { run: [], develop: ['@types/bun', 'typescript'] },
    start: 'bun server.ts',
    readsEnvFile: true,
    compiler: { module: 'preserve', types: ['bun'] },
    application: bun,
  },
  deno: {
    title: 'Deno',
    foundBy: [],
    packages: { run: [], develop: [] },
    isDeno: true,
    // The packages of a database read files, and ask for the name of the host.
    start:
      'deno serve --port 3000 --env-file --allow-env --allow-net --allow-read --allow-sys server.ts',
    readsEnvFile: true,
    application: deno,
  },
  workers: {
    title: 'Workers',
    aliases: ['cloudflare-workers', 'wrangler'],
    foundBy: ['wrangler', '@cloudflare/workers-types', '@cloudflare/vite-plugin'],
    packages: { run: [], develop: ['wrangler', 'typescript'] },
    isBundled: true,
    start: 'wrangler dev --port 3000',
    compiler: { module: 'esnext', moduleResolution: 'bundler', lib: ['es2023', 'webworker'] },
    settings: {
      'wrangler.jsonc':
        '{\n  "name": "webhooks",\n  "main": "index.ts",\n  "compatibility_date": "2026-01-01",\n  "compatibility_flags": ["nodejs_compat"]\n}\n',
    },
    application: workers,
  },
  'aws-lambda': {
    title: 'AWS Lambda',
    aliases: ['lambda'],
    foundBy: [
      ...['@types/aws-lambda', 'serverless', 'sst', 'aws-cdk-lib', '@middy/core'],
      '@webhook-receiver/aws-lambda',
    ],
    packages: { run: [], develop: TSX },
    workerRuns: 'in a container, as a function is frozen after each response',
    application: awsLambda,
  },
}

/** Those whose adapter has the middleware form. */
export const WITH_MIDDLEWARE: readonly string[] = Object.entries(FRAMEWORKS).flatMap(
  ([name, { middleware }]) => (middleware ? [name] : []),
)
