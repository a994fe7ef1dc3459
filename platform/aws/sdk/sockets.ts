// What is used of @aws-sdk/client-apigatewaymanagementapi, loaded when it is first needed: an import of the whole package could not be bundled in parts.
export { ApiGatewayManagementApiClient, PostToConnectionCommand } from '@aws-sdk/client-apigatewaymanagementapi'
