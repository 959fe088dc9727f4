import 'reflect-metadata'
import type { Server } from 'node:http'
import type { INestApplication, LoggerService, ModuleMetadata, Type } from '@nestjs/common'
import { Module } from '@nestjs/common'
import { type AbstractHttpAdapter, NestFactory } from '@nestjs/core'
import { ExpressAdapter } from '@nestjs/platform-express'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import type { RunningAdapter } from '@webhook-receiver/conformance'

/** The two platforms of Nest. */
export const platforms: Readonly<Record<'express' | 'fastify', () => AbstractHttpAdapter>> = {
  express: () => new ExpressAdapter(),
  fastify: () => new FastifyAdapter(),
}

export type Platform = keyof typeof platforms

export const PLATFORMS = Object.keys(platforms) as readonly Platform[]

/** What Nest logs from errors on, on standard error by the console. */
const errorsOnly: LoggerService = {
  log() {},
  warn() {},
  error: (...args) => console.error(...args),
  fatal: (...args) => console.error(...args),
}

/** A module of these parts. */
export function moduleOf(parts: ModuleMetadata): Type {
  class AppModule {}
  Module(parts)(AppModule)
  return AppModule
}

/** An application as `main.ts` makes it, with what comes between its creation and `listen`. */
export async function createApplication(
  platform: Platform,
  module: Type,
  {
    adapter = platforms[platform](),
    options = {},
    configure = () => {},
  }: {
    readonly adapter?: AbstractHttpAdapter
    readonly options?: Parameters<typeof NestFactory.create>[2]
    readonly configure?: (app: INestApplication) => unknown
  } = {},
): Promise<INestApplication> {
  const app = await NestFactory.create(module, adapter, {
    logger: errorsOnly,
    abortOnError: false,
    ...options,
  })
  await configure(app)
  return app
}

/** Lets an application listen, as `main.ts` does. */
export async function running(app: INestApplication): Promise<RunningAdapter> {
  await app.listen(0, '127.0.0.1')
  const server: Server = app.getHttpServer()
  const address = server.address()
  if (address === null || typeof address === 'string')
    throw new TypeError('The server has no port.')
  const close = async () => {
    server.closeAllConnections()
    await app.close()
  }
  return { port: address.port, server, close }
}
