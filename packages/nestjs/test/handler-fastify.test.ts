import { describePlatform } from './handler-suite.ts'

describePlatform('fastify')
