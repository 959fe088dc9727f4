/** Whether NODE_ENV is `development`, where there is an environment that may be read. */
export function inDevelopment(): boolean {
  return variable('NODE_ENV') === 'development'
}

/** Whether this runs as a function of AWS Lambda, each copy of which sees a few requests of many. */
export function onLambda(): boolean {
  return variable('AWS_LAMBDA_FUNCTION_NAME') !== undefined
}

function variable(name: string): unknown {
  try {
    return Reflect.get(globalThis, 'process').env[name]
  } catch {
    // No process, or Deno without the permission to read its environment.
    return undefined
  }
}
