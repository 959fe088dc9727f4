import { type Application, type Framework, type Layout, TSX } from '../framework.ts'
import { fileOf, type Parts } from '../parts.ts'
import { receiver } from '../receiver.ts'

export const awsLambda: Framework = {
  title: 'AWS Lambda',
  aliases: ['lambda'],
  foundBy: [
    ...['@types/aws-lambda', 'serverless', 'sst', 'aws-cdk-lib', '@middy/core'],
    '@webhook-receiver/aws-lambda',
  ],
  packages: { run: [], develop: TSX },
  workerRuns: 'in a container, as a function is frozen after each response',
  application: lambdaFunction,
}

function lambdaFunction(parts: Parts, { root }: Layout): Application {
  const { imports, before, call } = receiver(parts, 'aws-lambda')
  const path = `${root}${fileOf(parts)}`
  return {
    adapter: 'aws-lambda',
    route: { path, code: { imports, body: `${before}export const handler = ${call}` } },
    mount: {
      where: 'the template of the function',
      code: { imports: [], body: `Handler: ${path}.handler` },
    },
    server: {
      path: 'server',
      code: {
        imports: [
          { from: 'node:http', names: ['createServer'] },
          { from: '@webhook-receiver/aws-lambda/testing', names: ['eventListener'] },
          { from: `./${fileOf(parts)}`, names: ['handler'] },
        ],
        body: `// On your machine, each request becomes an event of the function.
createServer(eventListener(handler)).listen(3000)`,
      },
    },
    test: { exported: 'handler', target: 'handler' },
  }
}
