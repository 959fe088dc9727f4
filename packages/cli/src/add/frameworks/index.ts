import type { Framework } from '../framework.ts'
import { awsLambda } from './aws-lambda.ts'
import { bun } from './bun.ts'
import { deno } from './deno.ts'
import { elysia } from './elysia.ts'
import { express } from './express.ts'
import { fastify } from './fastify.ts'
import { hono } from './hono.ts'
import { koa } from './koa.ts'
import { nestjs } from './nestjs.ts'
import { next } from './next.ts'
import { node } from './node.ts'
import { nuxt } from './nuxt.ts'
import { sveltekit } from './sveltekit.ts'
import { workers } from './workers.ts'

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
  express,
  next,
  hono,
  fastify,
  nestjs,
  koa,
  node,
  sveltekit,
  nuxt,
  elysia,
  bun,
  deno,
  workers,
  'aws-lambda': awsLambda,
}

/** Those whose adapter has the middleware form. */
export const WITH_MIDDLEWARE: readonly string[] = Object.entries(FRAMEWORKS).flatMap(
  ([name, { middleware }]) => (middleware ? [name] : []),
)
