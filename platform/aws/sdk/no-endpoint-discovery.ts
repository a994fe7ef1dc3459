// Bundled in place of the SDK's endpoint discovery, which DynamoDB's client carries and none of its commands uses.

/** The client's configuration, as it is. */
export function resolveEndpointDiscoveryConfig<T>(config: T): T {
  return config
}

/** What the client asks environment and profile about it: nothing. */
export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = {
  environmentVariableSelector: (): undefined => undefined,
  configFileSelector: (): undefined => undefined,
  default: undefined,
}
