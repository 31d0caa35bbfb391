export const mcpClient = {
  cancelled: 'The request to the MCP server was cancelled.',
  connectionClosed: 'The connection to the MCP server is closed.',
  invalidAnswer: 'The MCP server sent an invalid answer: {reason}.',
  listTooLong: 'The MCP server sends a list without an end.',
  messageTooDeep: 'The MCP server sent a message nested deeper than {n, number} levels.',
  messageTooLarge: 'The MCP server sent a message of more than {n, number} bytes.',
  noPage:
    'The MCP server demands authorization, but Kennel cannot receive the answer of the authorization page.',
  notAuthorized: 'The MCP server refused the authorization: {reason}.',
  notOffered: 'The MCP server does not offer this: {reason}.',
  notSubscribable: 'The MCP server does not report changes of this resource.',
  pageNotWeb: 'The authorization page of the MCP server is no web page.',
  programFailed: 'The program of the MCP server failed: {reason}.',
  refused: 'The MCP server refused the request: {reason}.',
  timedOut: 'The MCP server did not answer in time.',
  unreachable: 'The MCP server cannot be reached: {reason}.',
} as const;
