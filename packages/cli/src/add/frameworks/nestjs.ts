import { fitted, indented, list } from '../code.ts'
import { type Application, type Framework, type Layout, TSX } from '../framework.ts'
import { fileOf, type Parts } from '../parts.ts'
import {
  methodOf,
  namesOf,
  options,
  receivedBy,
  schemeTypeOf,
  secretOf,
  workOf,
} from '../receiver.ts'

/** NestJS has modules, controllers and providers in place of a function that receives. */
export const nestjs: Framework = {
  title: 'NestJS',
  aliases: ['nest'],
  foundBy: ['@nestjs/core'],
  packages: {
    run: ['@nestjs/common', '@nestjs/core', '@nestjs/platform-express', 'reflect-metadata', 'rxjs'],
    develop: TSX,
  },
  onlyTypeScript: true,
  compiler: {
    types: ['node'],
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
  },
  application,
}

function application(parts: Parts, { root, platform }: Layout): Application {
  const { receive } = parts
  // StripeWebhooks, StripeHandlers, StripeModule.
  const name = receive.replace('receive', '')
  const module = `${name}Module`
  const file = `${fileOf(parts)}.module`
  const own = { from: `./${file}`, names: [module] }
  const fastify = platform === 'fastify'
  return {
    adapter: 'nestjs',
    route: {
      path: `${root}${file}`,
      code: { imports: importsOf(parts), body: moduleOf(parts, name) },
    },
    mount: {
      where: 'the module of your application',
      code: { imports: [own], body: `imports: [${module}],` },
    },
    server: {
      path: `${root}main`,
      code: {
        imports: [
          { from: 'reflect-metadata' },
          { from: '@nestjs/common', names: ['Module'] },
          { from: '@nestjs/core', names: ['NestFactory'] },
          own,
        ],
        body: `@Module({ imports: [${module}] })
class AppModule {}

const app = await NestFactory.create(AppModule)
await app.listen(3000)`,
      },
    },
    test: {
      imports: [
        { from: 'reflect-metadata' },
        { from: '@nestjs/core', names: ['NestFactory'] },
        ...(fastify ? [{ from: '@nestjs/platform-fastify', names: ['FastifyAdapter'] }] : []),
      ],
      exported: module,
      before: `const app = await NestFactory.create(${module}, ${fastify ? 'new FastifyAdapter(), ' : ''}{
  logger: false,
})
`,
      target: 'app',
      after: 'await app.close()\n',
    },
  }
}

function importsOf({ service, store, inbox }: Parts) {
  const { scheme, reply } = service
  const decorators = ['OnDelivery', 'WebhookEndpoint', 'WebhookModule']
  return [
    { from: '@nestjs/common', names: ['Controller', 'Injectable', 'Module', decoratorOf(service)] },
    {
      from: '@webhook-receiver/nestjs',
      names: [...decorators, ...(reply === undefined ? [] : ['reply'])],
      types: [inbox && !scheme ? 'Delivery' : 'DeliveryOf', ...(inbox ? ['WebhookContext'] : [])],
    },
    ...(scheme ? [{ from: scheme.from, names: [scheme.exported] }] : []),
    ...(store ? [store] : []),
    ...(inbox ? [inbox] : []),
  ]
}

function decoratorOf(service: Parts['service']): 'All' | 'Post' {
  return methodOf(service) === 'all' ? 'All' : 'Post'
}

function moduleOf(parts: Parts, name: string): string {
  const { service } = parts
  const { hasEvent, reply, scheme, event } = service
  const shown = namesOf(service)
  const replied = reply === undefined ? '' : `\n  return reply(${reply})`
  const handled = hasEvent && !parts.inbox ? event : 'any'
  const of = [`'${handled}'`, ...(scheme ? [schemeTypeOf(scheme)] : [])].join(', ')
  // Any delivery of the default format has no name of an event.
  const type = parts.inbox && !scheme ? 'Delivery' : `${name}Delivery`
  const typeLine = type === 'Delivery' ? '' : `${fitted(`type ${type} =`, `DeliveryOf<${of}>`)}\n\n`
  const handler = parts.inbox
    ? `async store(delivery: ${type}, context: WebhookContext<object>) {
  await ${receivedBy(service)}(delivery, context)
}`
    : `async handle({ ${shown} }: ${type}) {
${indented(workOf(parts))}${replied}
}`
  const { before, secret } = secretOf(parts)
  const all = [`secret: ${secret}`, ...options(parts)]
  return `${before}${typeLine}@Controller('${service.path.slice(1)}')
class ${name}Controller {
  @${decoratorOf(service)}()
  @WebhookEndpoint('${service.name}')
  receive() {}
}

@Injectable()
class ${name}Handlers {
${indented(list([`@OnDelivery('${handled}', { `, ' })'], [`name: '${service.name}'`], 74))}
${indented(handler)}
}

@Module({
  imports: [
    WebhookModule.forRootAsync({
      name: '${service.name}',
      useFactory: () => ({
${indented(all.map((each) => `${each},`).join('\n'), '        ')}
      }),
    }),
  ],
  controllers: [${name}Controller],
  providers: [${name}Handlers],
})
export class ${name}Module {}`
}
