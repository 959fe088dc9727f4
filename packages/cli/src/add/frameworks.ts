import * as routes from './file-routes.ts'
import type { Framework } from './framework.ts'
import * as functions from './functions.ts'
import { nestjs } from './nestjs.ts'
import * as servers from './servers.ts'

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
  next: routes.next,
  hono: servers.hono,
  fastify: servers.fastify,
  nestjs,
  koa: servers.koa,
  node: servers.node,
  sveltekit: routes.sveltekit,
  nuxt: routes.nuxt,
  elysia: servers.elysia,
  bun: functions.bun,
  deno: functions.deno,
  workers: functions.workers,
  'aws-lambda': functions.awsLambda,
}

/** Those whose adapter has the middleware form. */
export const WITH_MIDDLEWARE: readonly string[] = Object.entries(FRAMEWORKS).flatMap(
  ([name, { middleware }]) => (middleware ? [name] : []),
)
